package io.vramlab.magics.text;

/** User text made harmless to the eye. */
public final class Visible {

    private Visible() {
    }

    /** Control characters other than line breaks would move the text about or hide it: they become U+FFFD. */
    public static String text(String text) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean hidden = c != '\n' && (Character.isISOControl(c) || isDirectionMark(c));
            if (hidden && out == null) {
                out = new StringBuilder(text);
            }
            if (hidden) {
                out.setCharAt(i, c == '\t' ? ' ' : '\uFFFD');
            }
        }
        return out == null ? text : out.toString();
    }

    private static boolean isDirectionMark(char c) {
        return c >= '\u202A' && c <= '\u202E' || c >= '\u2066' && c <= '\u2069';
    }
}
