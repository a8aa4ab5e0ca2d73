package io.vramlab.magics.course;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExerciseTest {

    private static final Expected<Long> BLOCK = Expected.equalTo("the block for 1,000 bytes", 1024L);

    @Test
    void aRightAnswerPassesAndIsShown() {
        Exercise outcome = Exercise.check("rounding", 1024L, BLOCK, "Multiples of 512.");
        assertTrue(outcome.passed());
        assertEquals("✓ rounding: right, 1,024.", outcome.toString());
    }

    @Test
    void aWrongAnswerIsToldInThreeParts() {
        Exercise outcome = Exercise.check("rounding", 1000L, BLOCK, "Multiples of 512.");
        assertFalse(outcome.passed());
        assertEquals(
                "✗ rounding: not yet.\nExpected: the block for 1,000 bytes.\nYours: 1,000.\nHint: Multiples of 512.",
                outcome.toString());
    }

    @Test
    void whereAnswersAreGradedAWrongOneIsAnErrorThatSaysTheSame() {
        Exercise wrong = Exercise.check("rounding", 1000L, BLOCK, "Multiples of 512.");
        assertEquals(wrong.line(), assertThrows(ExerciseFailedException.class, wrong::graded).getMessage());
        assertTrue(Exercise.check("rounding", 1024L, BLOCK, "Multiples of 512.").graded().passed());
    }

    @Test
    void gradersAreKnownByTheEnvironmentAndOurVariableDecides() {
        assertFalse(Grading.on(Map.of()));
        assertTrue(Grading.on(Map.of("NBGRADER_EXECUTION", "autograde")));
        assertTrue(Grading.on(Map.of("VRAMLAB_GRADING", "on")));
        assertFalse(Grading.on(Map.of("NBGRADER_EXECUTION", "validate", "VRAMLAB_GRADING", "off")));
    }

    @Test
    void anEmptyAnswerIsToldAndThePredicateIsNotAsked() {
        Expected<Long> never = Expected.that("a number", n -> {
            throw new AssertionError("asked about " + n);
        });
        assertEquals("✗ count: not yet.\nExpected: a number.\nYours: nothing.\nHint: Count.",
                Exercise.check("count", null, never, "Count.").line());
        assertTrue(Exercise.check("name", "", Expected.equalTo("a name", "x"), "Say it.").line()
                .contains("\nYours: nothing.\n"));
    }

    @Test
    void severalNumbersAreCheckedAndShownTogether() {
        Expected<long[]> expected = Expected.that("three sizes", a -> Arrays.equals(a, new long[]{512, 1024, 1536}));
        assertEquals("✓ sizes: right, [512, 1,024, 1,536].",
                Exercise.check("sizes", new long[]{512, 1024, 1536}, expected, "").line());
        assertFalse(Exercise.check("sizes", new long[]{512, 1024}, expected, "").passed());
    }

    @Test
    void anExpectationWithoutWordsIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Expected.equalTo(" ", 1));
    }
}
