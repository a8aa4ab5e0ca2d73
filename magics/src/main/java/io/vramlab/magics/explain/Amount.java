package io.vramlab.magics.explain;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vramlab.magics.text.ReadableSizes;

/**
 * A number of bytes as a message printed it.
 *
 * @param bytes
 *            the value that the text names
 * @param slack
 *            the true value lies at most so many bytes beside it; 0 where bytes were printed
 * @param text
 *            as it was printed
 */
public record Amount(long bytes, long slack, String text) {

    /** What an amount looks like in the messages of all programs: {@code 1.72 GiB}, {@code 32.00MiB}, {@code 1.51G}. */
    static final String PATTERN = "[0-9][0-9,]*(?:\\.[0-9]+)? ?(?:[KMGTPE]i?B|[KMGTPE]\\b|bytes?\\b|B\\b)";

    /** Nothing is larger: what is printed beyond it is an error code taken for a number. */
    static final long MOST = 1L << 60;

    private static final Pattern PARTS = Pattern.compile("([0-9][0-9,]*)(?:\\.([0-9]+))? ?([A-Za-z]+)?");
    private static final Map<Character, Integer> POWERS = Map.of('k', 1, 'm', 2, 'g', 3, 't', 4, 'p', 5, 'e', 6);

    /**
     * Reads an amount; a number without a unit is bytes. Units are powers of 1024 whatever they are called: no program meant
     * here prints others.
     */
    public static Optional<Amount> parse(String text) {
        Matcher parts = PARTS.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        String unit = parts.group(3) == null ? "b" : parts.group(3).toLowerCase(Locale.ROOT);
        String decimals = parts.group(2) == null ? "" : parts.group(2);
        double size = Math.pow(1024, POWERS.getOrDefault(unit.charAt(0), 0));
        double value = Double
                .parseDouble(parts.group(1).replace(",", "") + "." + (decimals.isEmpty() ? "0" : decimals));
        boolean exact = size == 1;
        double slack = exact ? 0 : 0.5 * size / Math.pow(10, decimals.length());
        return Optional.of(new Amount((long) Math.min(MOST, Math.rint(value * size)), (long) Math.ceil(slack),
                text.strip()));
    }

    /** That many bytes, exactly. */
    static Amount exactly(long bytes) {
        return new Amount(bytes, 0, bytes + " bytes");
    }

    /** As people read it: as it was printed, and where that was bytes with a larger unit beside all digits. */
    public String shown() {
        return slack == 0 && bytes >= 1 << 10 ? ReadableSizes.both(bytes) : text;
    }

    /** The least that it can stand for. */
    public long least() {
        return Math.max(0, bytes - slack);
    }

    /** The most that it can stand for. */
    public long most() {
        return bytes + slack;
    }

    /** Both together. */
    Amount plus(Amount other) {
        return new Amount(bytes + other.bytes, slack + other.slack, "");
    }

    /** What is left; it may be below zero. */
    Amount minus(Amount other) {
        return new Amount(bytes - other.bytes, slack + other.slack, "");
    }

    /** True when it is below {@code other} whatever both stand for. */
    boolean surelyBelow(Amount other) {
        return bytes + slack < other.bytes - other.slack;
    }

    /** True when it is not above {@code other} whatever both stand for. */
    boolean surelyAtMost(Amount other) {
        return bytes + slack <= other.bytes - other.slack;
    }

    /** True when both can stand for the same. */
    boolean canEqual(Amount other) {
        return !surelyBelow(other) && !other.surelyBelow(this);
    }
}
