package io.vramlab.magics.text;

import java.util.Locale;

import io.vramlab.memory.Sizes;

/** Numbers of bytes as people read them. */
public final class ReadableSizes {

    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

    private ReadableSizes() {
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

    /** A difference: {@code +4.00 MiB}, {@code -512 bytes}, {@code unchanged}. */
    public static String change(long bytes) {
        return bytes == 0 ? "unchanged" : (bytes > 0 ? "+" : "") + text(bytes);
    }

    /** So many of something whose plural ends in s: {@code 1 tensor}, {@code 1,024 tensors}. */
    public static String count(long number, String singular) {
        return exact(number) + ' ' + singular + (number == 1 ? "" : "s");
    }

    /** A share of a whole, from 0 to 1: {@code 37.9 %}. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%,.1f %%", 100 * share);
    }

    /** All digits, in groups of three. */
    public static String exact(long number) {
        return Sizes.exact(number);
    }
}
