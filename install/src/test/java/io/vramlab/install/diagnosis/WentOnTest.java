package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

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

    @Test
    void oneThatStopsThereIsNot() {
        // what it lets go of is no request: 3 came before the failure, and none after
        assertNotEquals(CauseKind.HEALTHY, Diagnosis.of(search(0).story()).verdict().kind());
    }
}
