package io.vramlab.device;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as people write and read them. */
public final class ByteSize {

    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgt]?)(i?)b?",
            Pattern.CASE_INSENSITIVE);

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

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
     * {@return MiB and bytes, for messages and tables: {@code 20.00 MiB (20,971,520 bytes)}} Below 1 MiB in KiB, so that none
     * reads 0.00, and below 1 KiB in bytes alone. Two decimals, a half to the even one as PyTorch's messages round.
     *
     * @param bytes
     *            a size in bytes
     */
    public static String text(long bytes) {
        long size = Math.abs(bytes);
        if (size < KIB) {
            return exact(bytes) + (size == 1 ? " byte" : " bytes");
        }
        boolean small = size < MIB;
        String digits = new BigDecimal(size / (double) (small ? KIB : MIB)).setScale(2, RoundingMode.HALF_EVEN)
                .toPlainString();
        int point = digits.indexOf('.');
        return (bytes < 0 ? "-" : "") + grouped(digits.substring(0, point)) + digits.substring(point)
                + (small ? " KiB (" : " MiB (") + exact(bytes) + " bytes)";
    }

    /**
     * {@return all digits of a number, in groups of three: {@code 20,971,520}}
     *
     * @param number
     *            of bytes, or of anything else
     */
    public static String exact(long number) {
        String digits = Long.toString(number);
        return number < 0 ? "-" + grouped(digits.substring(1)) : grouped(digits);
    }

    private static String grouped(String digits) {
        StringBuilder text = new StringBuilder(digits);
        for (int at = digits.length() - 3; at > 0; at -= 3) {
            text.insert(at, ',');
        }
        return text.toString();
    }
}
