package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.Merging;

/** What happens when a block is given up, and when it becomes free: docs/allocator.md, "Giving a block up". */
final class FreePath {

    private final AllocatorState state;
    private final Merging merging;
    /** Call site shown by frees that complete now; those completed by polling show the polling allocation's. */
    private int site;

    FreePath(final AllocatorState state, final Merging merging) {
        this.state = state;
        this.merging = merging;
    }

    /** The owner gives a block up; it is free now, or when the streams that use it are done. */
    void request(final Block block, final int freeSite) {
        final StatCounters stats = state.stats;
        final boolean small = block.pool().small;
        block.allocated = false;
        stats.decrease(StatCounters.ALLOCATION, small, 1);
        stats.decrease(StatCounters.ALLOCATED_BYTES, small, block.size);
        final int shown = freeSite != 0 ? freeSite : state.shown(block.site);
        state.history.record(TraceAction.FREE_REQUESTED, block.address, block.requested, block.stream(), shown);
        for (final MemoryListener listener : state.listeners) {
            listener.freed(block.address, block.size, block.requested, block.stream(), block.site);
        }
        if (block.size >= state.settings.splitLimit) {
            stats.subtract(StatCounters.OVERSIZE_ALLOCATIONS, 1);
        }
        if (block.streamUses != null) {
            state.pending.add(block);
        } else {
            site = shown;
            complete(block);
        }
    }

    /** Sets the call site that frees completed by polling show. */
    void pollingSite(final int polling) {
        site = state.shown(polling);
    }

    /** The block is free: it joins its idle neighbours and enters the free set. */
    void complete(final Block block) {
        final StatCounters stats = state.stats;
        final boolean small = block.pool().small;
        final long size = block.size;
        state.history.record(TraceAction.FREE_COMPLETED, block.address, block.requested, block.stream(), site);
        block.site = 0;
        if (block.isSplit()) {
            long pieces = 0;
            long bytes = 0;
            final long before = merging.absorb(block, block.prev);
            final long after = merging.absorb(block, block.next);
            pieces -= (before > 0 ? 1 : 0) + (after > 0 ? 1 : 0);
            bytes -= before + after;
            if (block.isSplit()) {
                pieces++;
                bytes += block.size;
            }
            if (!block.segment.isExpandable()) {
                stats.change(StatCounters.INACTIVE_SPLIT, small, pieces);
                stats.change(StatCounters.INACTIVE_SPLIT_BYTES, small, bytes);
            }
        }
        block.pool().add(block);
        stats.decrease(StatCounters.ACTIVE, small, 1);
        stats.decrease(StatCounters.ACTIVE_BYTES, small, size);
        stats.decrease(StatCounters.REQUESTED_BYTES, small, block.requested);
    }
}
