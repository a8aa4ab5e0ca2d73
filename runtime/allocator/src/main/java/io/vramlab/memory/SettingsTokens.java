package io.vramlab.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of a settings text, with PyTorch's quirks: {@code , : [ ]} stand for themselves, white space vanishes even
 * inside words, and a wrong separator is skipped without a word.
 */
final class SettingsTokens {

    private static final String OUT_OF_BOUNDS = "i < config_.size() INTERNAL ASSERT FAILED at"
            + " \"/pytorch/c10/core/AllocatorConfig.h\":%d, please report a bug to PyTorch."
            + " Index out of bounds in ConfigTokenizer";
    /** Where PyTorch's source reads a token that a key needs, and where it looks at one inside a list. */
    private static final int LINE = 124;
    private static final int LINE_IN_LIST = 55;

    private final List<String> tokens = new ArrayList<>();
    private int next;

    SettingsTokens(final String text) {
        final StringBuilder word = new StringBuilder();
        for (final char c : text.toCharArray()) {
            if (c == ',' || c == ':' || c == '[' || c == ']') {
                endWord(word);
                tokens.add(String.valueOf(c));
            } else if (!isSpace(c)) {
                word.append(c);
            }
        }
        endWord(word);
    }

    boolean hasNext() {
        return next < tokens.size();
    }

    /** The token that is next, without taking it. */
    String peek() {
        return peek(LINE);
    }

    /** The next token, inside a list. */
    String peekInList() {
        return peek(LINE_IN_LIST);
    }

    private String peek(final int line) {
        if (!hasNext()) {
            throw new IllegalStateException(OUT_OF_BOUNDS.formatted(line));
        }
        return tokens.get(next);
    }

    String take() {
        final String token = peek();
        next++;
        return token;
    }

    /** Skips one token, whatever it is: PyTorch ignores the result of its check. */
    void skipSeparator() {
        take();
    }

    /** An integer as C++'s {@code stoull} reads it: digits up to the first other character, a minus wraps around. */
    long takeUnsigned() {
        final String token = take();
        int i = 0;
        boolean negative = false;
        if (i < token.length() && (token.charAt(i) == '-' || token.charAt(i) == '+')) {
            negative = token.charAt(i++) == '-';
        }
        final int start = i;
        while (i < token.length() && token.charAt(i) >= '0' && token.charAt(i) <= '9') {
            i++;
        }
        if (i == start) {
            throw new IllegalArgumentException("stoull");
        }
        final long value;
        try {
            value = Long.parseUnsignedLong(token.substring(start, i));
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("stoull", e);
        }
        return negative ? -value : value;
    }

    /** A floating-point number as C++'s {@code stod} reads it: the longest prefix that is one. */
    double takeDouble() {
        final String token = take();
        for (int end = token.length(); end > 0; end--) {
            final String prefix = token.substring(0, end);
            if (prefix.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
                return Double.parseDouble(prefix);
            }
        }
        throw new IllegalArgumentException("stod");
    }

    boolean takeBoolean() {
        final int index = next;
        final String token = take();
        if (token.equals("True") || token.equals("False")) {
            return token.equals("True");
        }
        throw new IllegalArgumentException(
                "Expected 'True' or 'False' at index " + index + " in ConfigTokenizer but got '" + token + "'");
    }

    /** Skips the value of a key that has been read already: one token, or a list in brackets. */
    void skipValue() {
        if (!take().equals("[")) {
            return;
        }
        while (hasNext()) {
            if (take().equals("]")) {
                return;
            }
        }
        throw new IllegalStateException("Expected closing bracket ']' in ConfigTokenizer but reached end of config");
    }

    private void endWord(final StringBuilder word) {
        if (!word.isEmpty()) {
            tokens.add(word.toString());
            word.setLength(0);
        }
    }

    private static boolean isSpace(final char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }
}
