package io.vramlab.magics.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/** What is reserved before a history begins. */
class BlocksTest {

    private static TraceEntry entry(TraceAction action, long bytes) {
        return new TraceEntry(action, 4096, bytes, 0, 0, "", 0);
    }

    private static long reservedBefore(List<SegmentInfo> atTheEnd, TraceEntry... entries) {
        return Blocks.of(List.of(entries), atTheEnd, address -> null).reservedBefore;
    }

    private static SegmentInfo segment(long bytes) {
        return new SegmentInfo(0, 4096, bytes, 0, 0, 0, 0, false, 0, false, 0, List.of());
    }

    @Test
    void itIsWhatIsThereAtTheEndWithoutWhatCame() {
        assertEquals(100, reservedBefore(List.of(segment(120)), entry(TraceAction.SEGMENT_ALLOC, 20)));
    }

    @Test
    void aSnapshotThatTellsOfNoSegmentsBeginsWithWhatIsGivenBackLater() {
        assertEquals(0, reservedBefore(List.of(), entry(TraceAction.SEGMENT_ALLOC, 20)));
        // 20 come and 50 go: 30 were there
        assertEquals(30, reservedBefore(List.of(), entry(TraceAction.SEGMENT_ALLOC, 20),
                entry(TraceAction.SEGMENT_FREE, 50), entry(TraceAction.SEGMENT_ALLOC, 20)));
    }
}
