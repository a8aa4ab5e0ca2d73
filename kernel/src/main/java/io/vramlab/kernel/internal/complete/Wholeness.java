package io.vramlab.kernel.internal.complete;

import io.vramlab.kernel.internal.magic.Magics;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/**
 * Whether a text can be run as it stands: what a console asks before it runs a line.
 *
 * @param status
 *            {@code complete}, {@code incomplete} or {@code invalid}
 * @param indent
 *            for an incomplete text, what the next line may begin with
 */
public record Wholeness(String status, String indent) {

    private static final String STEP = "    ";

    /** Judges a cell. */
    public static Wholeness of(SourceCodeAnalysis analysis, Magics magics, String cell) {
        String stripped = cell.strip();
        if (stripped.startsWith("%%")) {
            return cell.endsWith("\n\n") || cell.endsWith("\n") && cell.lines().count() > 1
                    ? new Wholeness("complete", "")
                    : new Wholeness("incomplete", "");
        }
        String rest = MagicLines.blanked(magics, cell);
        while (true) {
            CompletionInfo info = analysis.analyzeCompletion(rest);
            Completeness completeness = info.completeness();
            if (completeness == Completeness.UNKNOWN) {
                return new Wholeness("invalid", "");
            }
            if (completeness == Completeness.DEFINITELY_INCOMPLETE) {
                return new Wholeness("incomplete", STEP.repeat(depth(rest)));
            }
            if (completeness == Completeness.EMPTY || info.remaining().isBlank()) {
                return new Wholeness("complete", "");
            }
            rest = info.remaining();
        }
    }

    private static int depth(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            depth += switch (text.charAt(i)) {
                case '{', '(' -> 1;
                case '}', ')' -> -1;
                default -> 0;
            };
        }
        return Math.max(0, depth);
    }
}
