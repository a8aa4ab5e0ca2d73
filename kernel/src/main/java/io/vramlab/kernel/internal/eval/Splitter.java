package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.List;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/** Splits code into the snippets that JShell takes one by one. */
final class Splitter {

    /** JShell looks through all that it is given; a piece that ends well before this many characters is found in them. */
    private static final int WINDOW = 512;

    private final SourceCodeAnalysis analysis;

    Splitter(SourceCodeAnalysis analysis) {
        this.analysis = analysis;
    }

    /**
     * Code, split.
     *
     * @param pieces
     *            the snippets in order; the broken one alone if there is a syntax error, so that nothing runs before it is
     *            told
     * @param broken
     *            whether there is one
     */
    record Split(List<Piece> pieces, boolean broken) {
    }

    /** A piece's kind and the offset behind it. */
    private record Found(CompletionInfo info, int end) {
    }

    Split split(int cell, String code, int firstLine) {
        List<Piece> pieces = new ArrayList<>();
        int end = code.stripTrailing().length();
        int at = 0;
        int line = firstLine;
        int column = 0;
        while (at < end) {
            Found found = first(code, at);
            Completeness completeness = found.info().completeness();
            boolean broken = completeness == Completeness.UNKNOWN
                    || completeness == Completeness.DEFINITELY_INCOMPLETE;
            if (completeness == Completeness.EMPTY) {
                break;
            }
            if (broken || found.info().source() == null) {
                return new Split(List.of(new Piece(cell, code.substring(at), line, column, true)), true);
            }
            String consumed = code.substring(at, found.end());
            // whether the user wrote the last semicolon decides if the value is shown
            String closed = completeness == Completeness.COMPLETE_WITH_SEMI ? found.info().source() : consumed;
            pieces.add(new Piece(cell, consumed, closed, line, column, found.end() >= end));
            int lastBreak = consumed.lastIndexOf('\n');
            line += (int) consumed.chars().filter(c -> c == '\n').count();
            column = lastBreak < 0 ? column + consumed.length() : consumed.length() - lastBreak - 1;
            at = found.end();
        }
        return new Split(pieces, false);
    }

    /** The first piece from an offset on, found in as few lines as show where it ends: those with code behind it. */
    private Found first(String code, int at) {
        for (int window = WINDOW;; window *= 4) {
            int lineEnd = at + window < code.length() ? code.indexOf('\n', at + window) : -1;
            int end = lineEnd < 0 ? code.length() : lineEnd;
            CompletionInfo info = analysis.analyzeCompletion(code.substring(at, end));
            boolean certain = end == code.length() || info.completeness() == Completeness.COMPLETE
                    && !Comments.blanked(info.remaining()).isBlank();
            if (certain) {
                int left = info.remaining() == null ? 0 : info.remaining().length();
                return new Found(info, end - left);
            }
        }
    }
}
