package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.PrivatePool;
import io.vramlab.memory.internal.block.Segment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Copies the layout of all segments for snapshots. */
final class SegmentView {

    private SegmentView() {
    }

    static List<SegmentInfo> of(final AllocatorState state) {
        final List<SegmentInfo> list = new ArrayList<>();
        for (final Segment segment : state.segments) {
            Block block = segment.first;
            while (block != null) {
                if (!block.mapped) {
                    block = block.next;
                    continue;
                }
                final Block start = block;
                while (block != null && block.mapped) {
                    block = block.next;
                }
                list.add(range(state, start, block));
            }
        }
        list.sort(Comparator.comparingLong(SegmentInfo::address));
        return list;
    }

    /** One contiguous mapped range, up to an unmapped block or the segment's end. */
    private static SegmentInfo range(final AllocatorState state, final Block start, final Block end) {
        final List<BlockInfo> blocks = new ArrayList<>();
        long total = 0;
        long allocated = 0;
        long active = 0;
        long requested = 0;
        for (Block b = start; b != end; b = b.next) {
            total += b.size;
            allocated += b.allocated ? b.size : 0;
            if (b.isActive()) {
                active += b.size;
                requested += b.requested;
            }
            final BlockState shown = b.allocated
                    ? BlockState.ACTIVE_ALLOCATED
                    : b.isActive() ? BlockState.ACTIVE_PENDING_FREE : BlockState.INACTIVE;
            blocks.add(new BlockInfo(b.address, b.size, b.requested, shown, b.site));
        }
        final Segment segment = start.segment;
        final PrivatePool owner = segment.pool.owner;
        return new SegmentInfo(state.device, start.address, total, allocated, active, requested, segment.stream,
                segment.pool.small, owner == null ? 0 : owner.id, segment.isExpandable(), segment.site,
                List.copyOf(blocks));
    }
}
