package io.vramlab.kernel.internal.complete;

import io.vramlab.kernel.internal.magic.Magics;
import java.util.regex.Pattern;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/**
 * The text that JShell shall look at for a cursor: from the statement after the last import or method declaration on, so
 * that variables declared above in the same cell are known although they have not run.
 *
 * @param text
 *            the Java up to the cursor
 * @param start
 *            the char index in the cell at which it begins
 */
record CursorContext(String text, int start) {

    private static final Pattern IMPORT = Pattern.compile("\\A\\s*import\\b.*", Pattern.DOTALL);
    private static final Pattern METHOD = Pattern.compile(
            "\\A\\s*(?!(?:if|for|while|switch|try|do|synchronized|else|return|new|throw)\\b)[\\w<>\\[\\].,?\\s]+\\s\\w+\\s*"
                    + "\\([^;{}=]*\\)\\s*(?:throws[\\w.,\\s]+)?\\{.*",
            Pattern.DOTALL);

    static CursorContext of(SourceCodeAnalysis analysis, Magics magics, String cell, int cursor) {
        String java = MagicLines.blanked(magics, cell.substring(0, cursor));
        int start = 0;
        String rest = java;
        while (true) {
            CompletionInfo info = analysis.analyzeCompletion(rest);
            if (info.completeness() == Completeness.EMPTY || !info.completeness().isComplete()
                    || info.remaining().isBlank()) {
                return new CursorContext(java.substring(start), start);
            }
            String piece = rest.substring(0, rest.length() - info.remaining().length());
            rest = info.remaining();
            if (IMPORT.matcher(piece).matches() || METHOD.matcher(piece).matches()) {
                start = java.length() - rest.length();
            }
        }
    }
}
