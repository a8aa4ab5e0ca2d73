package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;

/** Programs in which nothing failed. */
class EndedProgramTest {

    private static final long MIB = 1L << 20;
    private static final String[] PLACED = {"/x/site-packages/torch/nn/modules/module.py:1097:_apply",
            "train.py:5:main"};
    private static final String[] COPIED = {"/usr/lib/python3.12/copy.py:132:deepcopy", "train.py:6:main"};
    private static final String[] CALLED = {"/x/site-packages/torch/nn/modules/module.py:1790:_call_impl",
            "train.py:9:main"};

    /** Five weights of 96 MiB and more and a copy of each, 2 x 530 MiB, and twenty passes that let go of all they made. */
    private static Diagnosis average() {
        History history = new History().event("segment_alloc", 0, 2048 * MIB);
        for (int set = 0; set < 2; set++) {
            history.by(set == 0 ? PLACED : COPIED);
            for (int i = 0; i < 5; i++) {
                history.alloc((set * 5 + i) * 128 * MIB, (96 + 5 * i) * MIB);
            }
        }
        history.by(CALLED);
        for (int step = 0; step < 20; step++) {
            history.alloc(1500 * MIB, 8 * MIB).alloc(1600 * MIB, 9 * MIB);
            history.free(1500 * MIB, 8 * MIB).free(1600 * MIB, 9 * MIB);
        }
        return Diagnosis.of(history.story());
    }

    @Test
    void aSecondSetOfWeightsThatHadRoomIsNoFault() {
        assertEquals(CauseKind.HEALTHY, average().verdict().kind());
        // told beside it, with its line
        assertEquals("train.py:6", average().others().getFirst().line());
    }
}
