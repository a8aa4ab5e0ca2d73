package io.vramlab.kernel.internal.eval;

import java.util.List;

/** Code that the compiler refuses; nothing of the refused snippet ran. */
public final class CompileException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * One complaint.
     *
     * @param line
     *            the cell line, from 1
     * @param column
     *            where on it, from 0
     * @param length
     *            how many characters it is about, on that line; at least 1
     * @param message
     *            the compiler's words
     * @param hint
     *            what may help, empty if nothing is known to
     */
    public record Problem(int line, int column, int length, String message, String hint) {
    }

    private final int cell;
    private final transient List<Problem> problems;

    CompileException(int cell, List<Problem> problems) {
        super(summary(cell, problems));
        this.cell = cell;
        this.problems = List.copyOf(problems);
    }

    private static String summary(int cell, List<Problem> problems) {
        Problem first = problems.getFirst();
        String more = problems.size() == 1 ? "" : " (and %d more)".formatted(problems.size() - 1);
        String hint = first.hint().isEmpty() ? "" : "\n" + first.hint();
        return "In [%d], line %d: %s%s%s".formatted(cell, first.line(),
                first.message().replaceAll("\\s*\\n\\s*(?:symbol:\\s*)?", ": "),
                more, hint);
    }

    /** The n of In [n]. */
    public int cell() {
        return cell;
    }

    /** What the compiler complains about, at least one. */
    public List<Problem> problems() {
        return problems;
    }
}
