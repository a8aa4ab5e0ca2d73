package io.vramlab.kernel.spi.text;

/** Text made harmless to the eye, to terminals and to whoever copies it. */
public final class Visible {

    private Visible() {
    }

    /**
     * Control characters other than line breaks would move the text about, hide it or speak to the terminal, and so would
     * marks of direction: they become U+FFFD, as do halves of surrogate pairs, and tabs become blanks.
     */
    public static String text(String text) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean hidden = c != '\n' && (Character.isISOControl(c) || isMark(c) || isHalf(text, i));
            if (hidden && out == null) {
                out = new StringBuilder(text);
            }
            if (hidden) {
                out.setCharAt(i, c == '\t' ? ' ' : '\uFFFD');
            }
        }
        return out == null ? text : out.toString();
    }

    /** The same in one line: line breaks become blanks too. */
    public static String line(String text) {
        return text(text).replace('\n', ' ');
    }

    /** Marks of direction, and separators that end a line in some places and not in others. */
    private static boolean isMark(char c) {
        return c >= '\u202A' && c <= '\u202E' || c >= '\u2066' && c <= '\u2069' || c == '\u200E' || c == '\u200F'
                || c == '\u061C' || c == '\u2028' || c == '\u2029';
    }

    private static boolean isHalf(String text, int i) {
        char c = text.charAt(i);
        return Character.isHighSurrogate(c)
                ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
                : Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
