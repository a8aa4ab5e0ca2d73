package io.vramlab.magics.course;

import java.util.Arrays;

/**
 * The outcome of one exercise's check. As a cell's value it is shown as its lines.
 *
 * @param name
 *            the exercise's name
 * @param passed
 *            whether the answer holds
 * @param line
 *            what a learner reads: that it holds; or, a line each, what was expected, what is, and a hint
 */
public record Exercise(String name, boolean passed, String line) {

    /**
     * Checks an answer. One that does not hold is an outcome, not an error, unless this session grades: {@code VRAMLAB_GRADING} is {@code on},
     * or nbgrader runs it.
     *
     * @param name
     *            the exercise's name
     * @param actual
     *            what the learner's code gave; null where it is still empty
     * @param expected
     *            what it must be
     * @param hint
     *            where to look if it does not hold
     * @return the outcome, whose text is the line to show
     * @throws ExerciseFailedException
     *             if this session grades and the answer does not hold
     */
    public static <T> Exercise check(String name, T actual, Expected<? super T> expected, String hint) {
        Exercise outcome = outcome(name, actual, expected, hint);
        return Grading.on() ? outcome.graded() : outcome;
    }

    /** This outcome, if the answer holds. */
    Exercise graded() {
        if (!passed) {
            throw new ExerciseFailedException(line);
        }
        return this;
    }

    private static <T> Exercise outcome(String name, T actual, Expected<? super T> expected, String hint) {
        if (actual != null && expected.holds().test(actual)) {
            return new Exercise(name, true, "✓ " + name + ": right, " + text(actual) + ".");
        }
        return new Exercise(name, false, "✗ " + name + ": not yet.\nExpected: " + expected.words() + ".\nYours: "
                + text(actual) + ".\nHint: " + hint);
    }

    private static String text(Object value) {
        return switch (value) {
            case null -> "nothing";
            case String words when words.isBlank() -> "nothing";
            case Long number -> String.format("%,d", number);
            case Integer number -> String.format("%,d", number);
            case long[] numbers -> Arrays.stream(numbers).mapToObj(n -> String.format("%,d", n)).toList().toString();
            default -> value.toString();
        };
    }

    @Override
    public String toString() {
        return line;
    }
}
