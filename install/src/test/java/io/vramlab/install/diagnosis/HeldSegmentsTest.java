package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;

/** Eight segments of 20 MiB, of each of which a part is in use when a request for 96 MiB fails. */
class HeldSegmentsTest {

    private static final long MIB = 1L << 20;
    private static final int SEGMENTS = 8;

    /** What is in each segment: blocks of one size, or each a little larger than the one before. */
    private static History history(long more, int turnsAfter) {
        History history = new History();
        for (int i = 0; i < SEGMENTS; i++) {
            long at = 32L * i * MIB;
            history.event("segment_alloc", at, 20 * MIB).alloc(at, 2 * MIB + i * more)
                    .alloc(at + 16 * MIB, 3 * MIB).free(at + 16 * MIB, 3 * MIB);
        }
        for (int turn = 0; turn < turnsAfter; turn++) {
            history.alloc(16 * MIB, 3 * MIB).free(16 * MIB, 3 * MIB);
        }
        return history.event("oom", 1L << 30, 96 * MIB);
    }

    private static List<HeldSegments.Held> held(Evidence e) {
        return HeldSegments.of(e.story().at(e.at()));
    }

    @Test
    void blocksOfOneSizePinWhatIsFree() {
        Evidence e = Evidence.of(history(0, 20).story());
        assertEquals(SEGMENTS, held(e).size());
        // 20 MiB less 2 in each
        assertEquals(18 * MIB, held(e).getFirst().free());
        // one size among eight blocks
        assertEquals(0.125, HeldSegments.sizes(held(e)));
        assertTrue(HeldSegments.areTold(held(e), e.at()) && HeldSegments.areAlike(held(e)));
        assertEquals(CauseKind.FRAGMENTATION_PINNED, new ScatteredCache().look(e).orElseThrow().kind());
    }

    @Test
    void blocksOfWhichNoTwoAreAlikeAreWhatSizesThatVaryLeave() {
        Evidence e = Evidence.of(history(MIB / 4, 20).story());
        assertEquals(1.0, HeldSegments.sizes(held(e)));
        assertFalse(HeldSegments.areAlike(held(e)));
        assertEquals(CauseKind.FRAGMENTATION_SIZES, new ScatteredCache().look(e).orElseThrow().kind());
    }

    @Test
    void ofThreeBlocksNothingIsTold() {
        Evidence e = Evidence.of(history(0, 0).story());
        assertFalse(HeldSegments.areTold(held(e).subList(0, 3), e.at()));
    }

    @Test
    void aSegmentThatIsFullOrFreeHasNoHolders() {
        History history = new History().event("segment_alloc", 0, 20 * MIB).event("segment_alloc", 32 * MIB, 20 * MIB)
                .alloc(0, 20 * MIB).event("oom", 0, 96 * MIB);
        assertEquals(List.of(), held(Evidence.of(history.story())));
    }
}
