package io.vramlab.magics.course;

import java.util.Map;

/**
 * Whether this session grades. A grader such as nbgrader gives a cell its points when the cell does not fail, so there a wrong answer must be an
 * error; a learner's own session goes on.
 */
final class Grading {

    /** Decides when it is set: {@code on} or {@code off}. */
    static final String OURS = "VRAMLAB_GRADING";
    /** What nbgrader sets while it grades ({@code autograde}) or a learner validates ({@code validate}). */
    static final String NBGRADERS = "NBGRADER_EXECUTION";

    private static final boolean ON = on(System.getenv());

    private Grading() {
    }

    /** Whether this process was started to grade; what a cell sets later does not change it. */
    static boolean on() {
        return ON;
    }

    static boolean on(Map<String, String> environment) {
        String ours = environment.getOrDefault(OURS, "");
        return ours.isEmpty() ? !environment.getOrDefault(NBGRADERS, "").isEmpty() : !ours.equals("off");
    }
}
