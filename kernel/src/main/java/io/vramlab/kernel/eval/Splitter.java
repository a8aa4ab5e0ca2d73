package io.vramlab.kernel.eval;

import java.util.ArrayList;
import java.util.List;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/** Splits code into the snippets that JShell takes one by one. */
final class Splitter {

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

    Split split(int cell, String code, int firstLine) {
        List<Piece> pieces = new ArrayList<>();
        String rest = code;
        int line = firstLine;
        int column = 0;
        while (!rest.isBlank()) {
            CompletionInfo info = analysis.analyzeCompletion(rest);
            Completeness completeness = info.completeness();
            boolean broken = completeness == Completeness.UNKNOWN
                    || completeness == Completeness.DEFINITELY_INCOMPLETE;
            if (completeness == Completeness.EMPTY) {
                break;
            }
            if (broken || info.source() == null) {
                return new Split(List.of(new Piece(cell, rest, line, column, true)), true);
            }
            String remaining = info.remaining();
            String consumed = rest.substring(0, rest.length() - remaining.length());
            // whether the user wrote the last semicolon decides if the value is shown
            String closed = completeness == Completeness.COMPLETE_WITH_SEMI ? info.source() : consumed;
            pieces.add(new Piece(cell, consumed, closed, line, column, remaining.isBlank()));
            int lastBreak = consumed.lastIndexOf('\n');
            line += (int) consumed.chars().filter(c -> c == '\n').count();
            column = lastBreak < 0 ? column + consumed.length() : consumed.length() - lastBreak - 1;
            rest = remaining;
        }
        return new Split(pieces, false);
    }
}
