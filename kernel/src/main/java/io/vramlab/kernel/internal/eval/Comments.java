package io.vramlab.kernel.internal.eval;

/** Java source without its comments. */
final class Comments {

    private Comments() {
    }

    /** The source with every comment replaced by blanks; strings, text blocks and characters stay. */
    static String blanked(String source) {
        StringBuilder text = new StringBuilder(source.length());
        int i = 0;
        while (i < source.length()) {
            int end = i + 1;
            boolean comment = false;
            if (source.startsWith("//", i)) {
                end = at(source, "\n", i, 0);
                comment = true;
            } else if (source.startsWith("/*", i)) {
                end = at(source, "*/", i + 2, 2);
                comment = true;
            } else if (source.startsWith("\"\"\"", i)) {
                end = quoted(source, "\"\"\"", i);
            } else if (source.charAt(i) == '"' || source.charAt(i) == '\'') {
                end = quoted(source, source.substring(i, i + 1), i);
            }
            for (int j = i; j < end; j++) {
                char c = source.charAt(j);
                text.append(comment && c != '\n' ? ' ' : c);
            }
            i = end;
        }
        return text.toString();
    }

    private static int at(String source, String end, int from, int more) {
        int found = source.indexOf(end, from);
        return found < 0 ? source.length() : found + more;
    }

    private static int quoted(String source, String quote, int from) {
        int i = from + quote.length();
        while (i < source.length() && !source.startsWith(quote, i)) {
            i += source.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(source.length(), i + quote.length());
    }
}
