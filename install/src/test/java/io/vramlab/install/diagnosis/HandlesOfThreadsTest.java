package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;

/** A server that starts one thread after the other: each multiplies with a cuBLAS handle of its own, whose workspaces stay. */
class HandlesOfThreadsTest {

    private static final long MIB = 1L << 20;
    private static final long WORKSPACE = 32 * MIB;
    private static final int THREADS = 6;

    /** cuBLAS's workspace and cuBLASLt's, six times, 198 MiB in all, and then a request that fails. */
    private static History history(boolean worksBetween) {
        History history = new History().event("segment_alloc", 0, 200 * MIB);
        for (int thread = 0; thread < THREADS; thread++) {
            long at = thread * (WORKSPACE + MIB);
            if (worksBetween) {
                history.alloc(199 * MIB, 65_536).free(199 * MIB, 65_536);
            }
            history.alloc(at, WORKSPACE).alloc(at + WORKSPACE, MIB);
        }
        for (int turn = 0; turn < THREADS; turn++) {
            history.alloc(199 * MIB, 65_536).free(199 * MIB, 65_536);
        }
        return history.event("oom", MIB, WORKSPACE);
    }

    private static Optional<Finding> found(boolean worksBetween) {
        return new WorkspaceBlocks().look(Evidence.of(history(worksBetween).story()));
    }

    @Test
    void workspacesThatComeTogetherAndAfterWorkAreThreads() {
        Finding verdict = found(true).orElseThrow();
        // 6 * 33 MiB = 198 MiB = 207,618,048 bytes in 12 blocks
        assertTrue(verdict.because().toString().contains("198.00 MiB (207,618,048 bytes) in 12 blocks"),
                verdict.because()::toString);
        assertTrue(verdict.because().toString().contains("each thread"), verdict.because()::toString);
    }

    @Test
    void weightsOfTheseSizesComeOneAfterTheOther() {
        assertEquals(Optional.empty(), found(false));
    }

    /** A pool of threads that all begin at once: each takes 32 MiB at its first product, and makes three results of 1 MiB. */
    private static History pool(long result) {
        History history = new History().event("segment_alloc", 0, 300 * MIB)
                .by("/x/site-packages/torch/nn/modules/linear.py:134:forward",
                        "/x/site-packages/torch/nn/modules/module.py:1790:_call_impl", "pool.py:20:score");
        for (int thread = 0; thread < THREADS; thread++) {
            history.alloc(thread * WORKSPACE, WORKSPACE).alloc(250 * MIB + thread * MIB, MIB);
        }
        for (int turn = 0; turn < 2 * THREADS; turn++) {
            history.alloc(260 * MIB, result).free(260 * MIB, result);
        }
        return history.event("oom", MIB, WORKSPACE);
    }

    @Test
    void ofAPoolThatBeginsAtOnceTheyStandBesideTheResultsOfTheirLine() {
        Finding verdict = new WorkspaceBlocks().look(Evidence.of(pool(MIB).story())).orElseThrow();
        // 6 * 32 MiB = 192 MiB = 201,326,592 bytes; cuBLASLt's are of the results' size
        assertTrue(verdict.because().toString().contains("192.00 MiB (201,326,592 bytes) in 6 blocks"),
                verdict.because()::toString);
    }

    @Test
    void resultsOfTheirSizeThatWentAreNoWorkspaces() {
        assertEquals(Optional.empty(), new WorkspaceBlocks().look(Evidence.of(pool(WORKSPACE).story())));
    }
}
