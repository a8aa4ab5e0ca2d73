package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.vramlab.install.story.History;

/** A failure that a program goes on from, as a search for the largest batch does. */
class WentOnTest {

    private static final long MIB = 1L << 20;
    private static final long PLENTY = 100L << 30;

    /** Batches of 1, 2 and 4 MiB fit in what may be had, one of 8 does not; then so many turns with 2. */
    private static History search(int turns) {
        History history = new History().event("segment_alloc", 0, 6 * MIB);
        for (long batch = 1; batch <= 4; batch *= 2) {
            history.alloc(0, batch * MIB).free(0, batch * MIB);
        }
        history.event("oom", PLENTY, 8 * MIB);
        for (int turn = 0; turn < turns; turn++) {
            history.alloc(0, 2 * MIB).free(0, 2 * MIB);
        }
        return history;
    }

    @Test
    void aProgramThatAsksForAsMuchAgainAfterItsLastFailureIsHealthy() {
        // 3 requests were served before the failure, 9 after it: 75 of 100
        Diagnosis diagnosis = Diagnosis.of(search(9).story());
        assertEquals(CauseKind.HEALTHY, diagnosis.verdict().kind());
        assertTrue(diagnosis.verdict().because().getFirst().contains("75 of 100 requests"),
                diagnosis.verdict()::toString);
        assertTrue(diagnosis.verdict().surer().contains("--source"), diagnosis.verdict()::toString);
    }

    /** Turns of 6 MiB beside 4 that stay; of those in a range one or two blocks are kept, and of the early ones each third fails. */
    private static History skips(int turns, int early, long kept, int from, int upTo, long everyTime) {
        History history = new History().event("segment_alloc", 0, 64 * MIB).alloc(0, 4 * MIB);
        long at = 8 * MIB;
        for (int turn = 0; turn < turns; turn++) {
            history.alloc(56 * MIB, 4 * MIB).alloc(60 * MIB, 2 * MIB);
            if (turn < early && turn % 3 == 2) {
                history.event("oom", PLENTY, 96 * MIB); // one of the turns that are too large, and skipped
            }
            history.free(60 * MIB, 2 * MIB).free(56 * MIB, 4 * MIB);
            if (kept > 0 && turn >= from && turn < upTo) {
                history.alloc(at, kept);
                at += kept;
                if (everyTime > 0) {
                    history.alloc(at, everyTime);
                    at += everyTime;
                }
            }
        }
        return history;
    }

    /**
     * In each of these 12 of 40 turns may fail, early: the last in turn 11, so that most requests come after it. What they keep is 30 to
     * 46 MiB of the 64 that are held.
     */
    static Stream<Arguments> leaks() {
        return Stream.of(
                Arguments.of("a result of each turn", skips(40, 12, MIB, 0, 40, 0)),
                Arguments.of("two results of each turn", skips(40, 12, MIB / 2, 0, 40, MIB / 2)),
                Arguments.of("a result of each turn after the search for a size", skips(40, 6, MIB, 6, 40, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("leaks")
    void oneThatSkipsWhatFailsAndKeepsMoreAndMoreIsNotHealthy(String kept, History history) {
        assertNotEquals(CauseKind.HEALTHY, Diagnosis.of(history.story()).verdict().kind(), kept);
    }

    static Stream<Arguments> steady() {
        return Stream.of(
                Arguments.of("nothing", skips(40, 12, 0, 0, 0, 0)),
                Arguments.of("a state that the first turn makes", skips(40, 12, 8 * MIB, 0, 1, 0)),
                Arguments.of("a buffer of 10 MiB that is full after ten turns", skips(40, 12, MIB, 0, 10, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steady")
    void oneThatSkipsWhatFailsAndKeepsNoMoreThanItNeedsIs(String kept, History history) {
        assertEquals(CauseKind.HEALTHY, Diagnosis.of(history.story()).verdict().kind(), kept);
    }

    @Test
    void oneThatStopsThereIsNot() {
        // what it lets go of is no request: 3 came before the failure, and none after
        assertNotEquals(CauseKind.HEALTHY, Diagnosis.of(search(0).story()).verdict().kind());
    }
}
