package io.vramlab.magics.course;

/** An answer that does not hold, where answers are graded: there only a cell that fails loses its points. */
public final class ExerciseFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * With what a learner would have read.
     *
     * @param line
     *            what was expected, what is, and a hint
     */
    ExerciseFailedException(String line) {
        super(line);
    }
}
