package io.vramlab.device;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as people write and read them. */
public final class ByteSize {

    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgt]?)(i?)b?",
            Pattern.CASE_INSENSITIVE);

    private ByteSize() {
    }

    /**
     * Reads a size: a number and a unit. {@code KiB MiB GiB TiB} are powers of 1024, {@code KB MB GB TB} powers of 1000, no
     * unit means bytes.
     *
     * @param text
     *            for instance {@code 80GiB}, {@code 1.5 MB} or {@code 4096}; letter case and spaces around do not
     *            matter
     * @return the size in bytes, rounded down, or empty if the text is no positive size
     */
    public static Optional<Long> parse(String text) {
        Matcher m = SIZE.matcher(text.trim());
        if (!m.matches()) {
            return Optional.empty();
        }
        String unit = m.group(2).toLowerCase(Locale.ROOT);
        int power = unit.isEmpty() ? 0 : "kmgt".indexOf(unit) + 1;
        double bytes = Double.parseDouble(m.group(1)) * Math.pow(m.group(3).isEmpty() ? 1000 : 1024, power);
        return bytes >= 1 && bytes < Long.MAX_VALUE ? Optional.of((long) bytes) : Optional.empty();
    }

    /**
     * {@return MiB and bytes, for messages: {@code 20.00 MiB (20971520 bytes)}}
     *
     * @param bytes
     *            a size in bytes
     */
    public static String text(long bytes) {
        return String.format(Locale.ROOT, "%.2f MiB (%d bytes)", bytes / 1048576.0, bytes);
    }
}
