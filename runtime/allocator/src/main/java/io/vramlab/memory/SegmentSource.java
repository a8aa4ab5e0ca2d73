package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.Request;
import io.vramlab.memory.internal.block.Segment;

/** Gets segments from the driver and gives them back: docs/allocator.md, "New segments". */
final class SegmentSource {

    private final AllocatorState state;
    private final ExpandableSegments expandable;

    SegmentSource(final AllocatorState state, final ExpandableSegments expandable) {
        this.state = state;
        this.expandable = expandable;
    }

    /**
     * A block of a new or grown segment, in no pool yet.
     *
     * @param retry
     *            whether this is the attempt after the whole cache was flushed
     * @return null when the limit or the driver forbids it
     */
    Block obtain(final Request request, final boolean retry) {
        if (retry) {
            state.stats.count(StatCounters.ALLOC_RETRIES);
        }
        if (!state.fits(request.segmentBytes)) {
            return null;
        }
        if (state.settings.expandableSegments()) {
            return expandable.grow(request);
        }
        final long address = state.memory.allocate(request.segmentBytes);
        if (address == DeviceMemory.OUT_OF_MEMORY) {
            return null;
        }
        final Segment segment = new Segment(address, request.segmentBytes, request.stream, request.pool, 0,
                request.site);
        state.addSegment(segment);
        final Block block = state.recycler.take(segment, address, request.segmentBytes);
        segment.first = block;
        state.stats.increase(StatCounters.SEGMENT, segment.pool.small, 1);
        if (segment.size >= state.settings.splitLimit) {
            state.stats.add(StatCounters.OVERSIZE_SEGMENTS, 1);
        }
        state.gained(TraceAction.SEGMENT_ALLOC, address, segment.size, segment, request.site);
        return block;
    }

    /** Gives the segment of a free block that fills it back to the driver. */
    void release(final Block block, final int site) {
        final Segment segment = block.segment;
        segment.pool.remove(block);
        state.stats.decrease(StatCounters.SEGMENT, segment.pool.small, 1);
        if (segment.size >= state.settings.splitLimit) {
            state.stats.subtract(StatCounters.OVERSIZE_SEGMENTS, 1);
        }
        state.lost(TraceAction.SEGMENT_FREE, segment.address, segment.size, segment, site);
        state.removeSegment(segment);
        state.recycler.give(block);
        state.memory.free(segment.address);
    }
}
