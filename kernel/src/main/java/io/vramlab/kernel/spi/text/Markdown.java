package io.vramlab.kernel.spi.text;

/** Text made safe for Markdown, as Jupyter's frontends and nbconvert read it: with HTML, links, emphasis and formulas. */
public final class Markdown {

    private static final String HARMLESS = " ,()%";

    private Markdown() {
    }

    /**
     * One line that shows as it is written. Whatever is no letter, digit or blank becomes a character reference, in which no
     * dialect sees a mark of its own or an address; a dollar sign and a backslash also stand in an element of their own,
     * because formulas are looked for again in the page that has been drawn.
     */
    public static String escape(String text) {
        String line = Visible.line(text);
        StringBuilder out = new StringBuilder(line.length() + 16);
        for (int i = 0; i < line.length();) {
            int c = line.codePointAt(i);
            if (c == '$' || c == '\\') {
                out.append("<span>&#").append(c).append(";</span>");
            } else if (isHarmless(line, i, c)) {
                out.appendCodePoint(c);
            } else {
                out.append("&#").append(c).append(';');
            }
            i += Character.charCount(c);
        }
        return out.toString();
    }

    private static boolean isHarmless(String line, int i, int c) {
        if (c == '.') {
            return i > 0 && i + 1 < line.length() && isDigit(line.charAt(i - 1)) && isDigit(line.charAt(i + 1));
        }
        return Character.isLetterOrDigit(c) || HARMLESS.indexOf(c) >= 0 && (c != ' ' || i > 0);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
