package io.vramlab.kernel.spi.option;

import io.vramlab.kernel.spi.text.Visible;
import java.util.ArrayList;
import java.util.List;

/** Splits arguments at white space; quotes keep words together. */
public final class Words {

    private final String text;
    private int position;
    private boolean endedByWhiteSpace;

    Words(String text) {
        this.text = text;
        skip();
    }

    /** Where the next word begins. */
    int position() {
        return position;
    }

    boolean hasNext() {
        return position < text.length();
    }

    String next() {
        StringBuilder word = new StringBuilder();
        char quote = 0;
        while (position < text.length()) {
            char c = text.charAt(position);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (Character.isWhitespace(c)) {
                break;
            } else {
                word.append(c);
            }
            position++;
        }
        endedByWhiteSpace = position < text.length();
        skip();
        return word.toString();
    }

    /** Where the last word of a text begins, which may be an open quotation; the text's length after white space. */
    public static int lastStart(String text) {
        Words words = new Words(text);
        int start = 0;
        while (words.hasNext()) {
            start = words.position();
            words.next();
        }
        boolean ended = start < text.length() && words.endedByWhiteSpace;
        return ended || text.isBlank() ? text.length() : start;
    }

    /** All words of a text. */
    public static List<String> of(String text) {
        List<String> all = new ArrayList<>();
        for (Words words = new Words(text); words.hasNext();) {
            all.add(words.next());
        }
        return all;
    }

    /**
     * A word as it stands in a magic's line, in quotes: {@link Words} reads it back as it was.
     *
     * @throws IllegalArgumentException
     *             if it holds a character that a line of a cell cannot hold, or that readers cannot see
     */
    public static String quoted(String word) {
        if (!Visible.line(word).equals(word)) {
            throw new IllegalArgumentException("it holds control characters, line breaks or marks that are not seen: "
                    + Visible.line(word));
        }
        return '"' + word.replace("\"", "\"'\"'\"") + '"';
    }

    private void skip() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }
}
