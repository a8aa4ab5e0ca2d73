package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.Request;

/** Splits the block that was found and gives it to its new owner: docs/allocator.md, "Splitting" and "Handing out". */
final class FoundBlock {

    private final AllocatorState state;

    FoundBlock(final AllocatorState state) {
        this.state = state;
    }

    Block give(final Block found, final Request request) {
        final boolean wasSplit = found.isSplit();
        final boolean counted = !found.segment.isExpandable();
        final boolean small = found.pool().small;
        final StatCounters stats = state.stats;
        Block block = found;
        if (BestFit.splits(state.settings, found, request)) {
            block = front(found, request.size);
            if (counted && wasSplit) {
                stats.decrease(StatCounters.INACTIVE_SPLIT_BYTES, small, block.size);
            } else if (counted) {
                stats.increase(StatCounters.INACTIVE_SPLIT_BYTES, small, found.size);
                stats.increase(StatCounters.INACTIVE_SPLIT, small, 1);
            }
        } else if (counted && wasSplit) {
            stats.decrease(StatCounters.INACTIVE_SPLIT_BYTES, small, block.size);
            stats.decrease(StatCounters.INACTIVE_SPLIT, small, 1);
        }
        record(block, request);
        return block;
    }

    /** Cuts the front off; the tail keeps the block object, and with it what its last owner asked for. */
    private Block front(final Block tail, final long size) {
        final Block front = state.recycler.take(tail.segment, tail.address, size);
        tail.address += size;
        tail.size -= size;
        front.splice(tail.prev, tail);
        tail.pool().add(tail);
        return front;
    }

    private void record(final Block block, final Request request) {
        final StatCounters stats = state.stats;
        final boolean small = block.pool().small;
        block.allocated = true;
        block.requested = request.bytes;
        block.site = request.site;
        state.history.record(TraceAction.ALLOC, block.address, request.bytes, block.stream(),
                state.shown(request.site));
        state.handedOut.put(block);
        stats.increase(StatCounters.ALLOCATION, small, 1);
        stats.increase(StatCounters.ALLOCATED_BYTES, small, block.size);
        stats.increase(StatCounters.ACTIVE, small, 1);
        stats.increase(StatCounters.ACTIVE_BYTES, small, block.size);
        stats.increase(StatCounters.REQUESTED_BYTES, small, request.bytes);
        if (block.size >= state.settings.splitLimit) {
            stats.add(StatCounters.OVERSIZE_ALLOCATIONS, 1);
        }
        for (final MemoryListener listener : state.listeners) {
            listener.allocated(block.address, block.size, request.bytes, block.stream(), request.caller);
        }
    }
}
