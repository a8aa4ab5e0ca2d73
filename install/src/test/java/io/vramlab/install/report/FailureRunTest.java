package io.vramlab.install.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;

/** Requests that fail again and again. */
class FailureRunTest {

    private static final long MIB = 1 << 20;

    @Test
    void whatFailsAgainAtOnceIsOneRow() {
        List<FailureRun> runs = FailureRun.of(new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 8 * MIB)
                .event("oom", 100, 40 * MIB).event("oom", 100, 40 * MIB).event("oom", 100, 40 * MIB)
                .event("oom", 100, 20 * MIB).story());

        assertEquals(List.of(new FailureRun(2, 4, 3, 40 * MIB), new FailureRun(5, 5, 1, 20 * MIB)), runs);
        assertEquals("out of memory 3 times", runs.getFirst().name());
        assertEquals("2 to 4", runs.getFirst().events());
    }

    @Test
    void whatWasAllocatedInBetweenBeginsAnotherRow() {
        assertEquals(2, FailureRun.of(new History().event("segment_alloc", 0, 20 * MIB).event("oom", 100, 40 * MIB)
                .alloc(0, 8 * MIB).event("oom", 100, 40 * MIB).story()).size());
    }
}
