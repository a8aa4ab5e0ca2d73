package io.vramlab.magics.option;

/** Splits arguments at white space; quotes keep words together. */
final class Words {

    private final String text;
    private int position;

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
        skip();
        return word.toString();
    }

    private void skip() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }
}
