package io.vramlab.magics.text;

import java.util.Locale;

/** Numbers of bytes as people read them. */
public final class Sizes {

    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

    private Sizes() {
    }

    /** Two decimals in the largest unit that leaves at least one: {@code 4.00 MiB}; below 1 KiB {@code 512 bytes}. */
    public static String text(long bytes) {
        if (Math.abs(bytes) < 1024) {
            return bytes + (Math.abs(bytes) == 1 ? " byte" : " bytes");
        }
        double value = bytes;
        int unit = -1;
        while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.2f %s", value, UNITS[unit]);
    }

    /** For messages: {@code 4.00 MiB (4,194,304 bytes)}. */
    public static String both(long bytes) {
        return Math.abs(bytes) < 1024 ? text(bytes) : text(bytes) + " (" + exact(bytes) + " bytes)";
    }

    /** All digits, in groups of three. */
    public static String exact(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * Reads {@code 8GiB}, {@code 512 MiB}, {@code 20m} or a bare number of bytes.
     *
     * @return bytes, or -1 if the text is no size
     */
    public static long parse(String text) {
        String trimmed = text.strip().replace("_", "");
        int end = 0;
        while (end < trimmed.length() && (Character.isDigit(trimmed.charAt(end)) || trimmed.charAt(end) == '.')) {
            end++;
        }
        double number;
        try {
            number = Double.parseDouble(trimmed.substring(0, end));
        } catch (NumberFormatException e) {
            return -1;
        }
        double bytes = switch (trimmed.substring(end).strip().toLowerCase(Locale.ROOT)) {
            case "", "b", "byte", "bytes" -> number;
            case "k", "kb", "kib" -> number * (1L << 10);
            case "m", "mb", "mib" -> number * (1L << 20);
            case "g", "gb", "gib" -> number * (1L << 30);
            case "t", "tb", "tib" -> number * (1L << 40);
            default -> -1;
        };
        return (long) bytes;
    }
}
