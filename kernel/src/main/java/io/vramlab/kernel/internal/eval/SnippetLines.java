package io.vramlab.kernel.internal.eval;

import java.util.Map;
import java.util.TreeMap;
import jdk.jshell.SourceCodeAnalysis.SnippetWrapper;

/** Translates the line numbers of a class that JShell generated into lines of the cell. */
final class SnippetLines {

    private final int cell;
    private final String file;
    private final int fallback;
    /** By how much lines differ that were compiled as a cell's own. */
    private Integer shift;
    private final TreeMap<Integer, Integer> cellLineOf = new TreeMap<>();

    private SnippetLines(int cell, String file, int fallback) {
        this.cell = cell;
        this.file = file;
        this.fallback = fallback;
    }

    /** Lines that are the cell's already. */
    static SnippetLines same(String file) {
        return new SnippetLines(0, file, 0);
    }

    /** The cell line on which a piece's code begins, behind blanks and comments. */
    static int codeLine(Piece piece) {
        return piece.line() + (int) piece.source().chars().limit(leadingComments(piece.source()))
                .filter(each -> each == '\n').count();
    }

    /**
     * Lines of a cell, some lines further down or up than they were compiled.
     *
     * @param compiledAt
     *            the line on which the code began then
     */
    static SnippetLines moved(Piece piece, int compiledAt) {
        SnippetLines lines = new SnippetLines(piece.cell(), piece.file(), piece.line());
        lines.shift = codeLine(piece) - compiledAt;
        return lines;
    }

    /**
     * The lines of one snippet, found by asking JShell where each word of the source went.
     *
     * @param piece
     *            the snippet's place
     * @param wrapper
     *            the generated source
     */
    static SnippetLines of(Piece piece, SnippetWrapper wrapper) {
        SnippetLines lines = new SnippetLines(piece.cell(), piece.file(), piece.line());
        String source = RecordText.of(piece.source());
        int[] lineOfWrapped = lineOfPosition(wrapper.wrapped());
        int line = piece.line();
        boolean inWord = false;
        int code = leadingComments(source);
        for (int i = 0; i < source.length(); i++) {
            char c = source.charAt(i);
            boolean word = i >= code && !Character.isWhitespace(c);
            if (word && !inWord) {
                int position = wrapper.sourceToWrappedPosition(i);
                // JShell answers 0 for what it left out: comments, modifiers
                if (position > 0 && position < lineOfWrapped.length) {
                    lines.cellLineOf.putIfAbsent(lineOfWrapped[position], line);
                }
            }
            inWord = word;
            if (c == '\n') {
                line++;
            }
        }
        return lines;
    }

    /** Where the code begins: JShell places the words of a comment before a declaration on the declaration's line. */
    private static int leadingComments(String source) {
        int i = 0;
        while (i < source.length()) {
            if (Character.isWhitespace(source.charAt(i))) {
                i++;
            } else if (source.startsWith("//", i)) {
                i = after(source, "\n", i);
            } else if (source.startsWith("/*", i)) {
                i = after(source, "*/", i + 2);
            } else {
                break;
            }
        }
        return i;
    }

    private static int after(String source, String end, int from) {
        int found = source.indexOf(end, from);
        return found < 0 ? source.length() : found + end.length();
    }

    private static int[] lineOfPosition(String text) {
        int[] lineOf = new int[text.length()];
        int line = 1;
        for (int i = 0; i < lineOf.length; i++) {
            lineOf[i] = line;
            if (text.charAt(i) == '\n') {
                line++;
            }
        }
        return lineOf;
    }

    /** The n of In [n]. */
    int cell() {
        return cell;
    }

    /** The file that stack frames shall name. */
    String file() {
        return file;
    }

    /** The cell line of a line of the generated source; lines of JShell's own count to the user's line before them. */
    int cellLine(int generated) {
        if (fallback == 0) {
            return generated;
        }
        if (shift != null) {
            return generated + shift;
        }
        Map.Entry<Integer, Integer> entry = cellLineOf.floorEntry(generated);
        return entry == null ? fallback : entry.getValue();
    }

    /** Whether these are lines of the same place. */
    boolean sameAs(SnippetLines other) {
        return file.equals(other.file) && cellLine(0) == other.cellLine(0) && (shift == null) == (other.shift == null);
    }
}
