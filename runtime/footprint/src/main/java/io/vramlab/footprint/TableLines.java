package io.vramlab.footprint;

import java.nio.charset.StandardCharsets;

/** Lines of a table in ASCII, read where they lie: of those that are passed over nothing is made. */
final class TableLines {

    /** Powers of ten that a double has exactly, as whole numbers up to there: the quotient or product of two such is the nearest to the decimal. */
    private static final int MOST_TENS = 22;
    private static final long MOST_WHOLE = 1L << 53;

    private final byte[] text;
    private int at;

    TableLines(byte[] text, int at) {
        this.text = text;
        this.at = at;
    }

    /** Whether there is a line here. */
    boolean isMore() {
        return at < text.length;
    }

    /** Where the rest of the line begins. */
    int at() {
        return at;
    }

    boolean startsWith(char first) {
        return text[at] == first;
    }

    /** Goes to the next line. */
    void next() {
        while (at < text.length && text[at] != '\n') {
            at++;
        }
        at++;
    }

    /** The rest of the line. */
    String text() {
        int end = at;
        while (end < text.length && text[end] != '\n') {
            end++;
        }
        return new String(text, at, end - at, StandardCharsets.US_ASCII);
    }

    /** Passes over one character. */
    void pass() {
        at++;
    }

    /** Goes behind a whole number, and what parts it from the next. */
    int whole() {
        int whole = 0;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            whole = 10 * whole + text[at++] - '0';
        }
        at++;
        return whole;
    }

    /** The rest of the line, a number such as {@code 49.5} or {@code 6.6e+03}; goes to the next line. */
    double number() {
        int from = at;
        long digits = 0;
        int tens = 0;
        boolean point = false;
        for (; at < text.length && (text[at] == '.' || text[at] >= '0' && text[at] <= '9'); at++) {
            if (text[at] == '.') {
                point = true;
            } else {
                digits = Math.min(MOST_WHOLE, 10 * digits + text[at] - '0');
                tens -= point ? 1 : 0;
            }
        }
        if (at + 1 < text.length && text[at] == 'e' && text[at + 1] == '+') {
            at += 2;
            tens += whole();
        } else {
            at++;
        }
        double number = tens < 0 ? digits / Math.pow(10, -tens) : digits * Math.pow(10, tens);
        if (at <= text.length && text[at - 1] == '\n' && digits < MOST_WHOLE && Math.abs(tens) <= MOST_TENS) {
            return number;
        }
        at = from;
        number = Double.parseDouble(text());
        next();
        return number;
    }
}
