package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.FreeSet;
import io.vramlab.memory.internal.block.Request;

/**
 * Finds the free block for a request and decides whether to split it: docs/allocator.md, "The search for a block" and
 * "Splitting".
 */
final class BestFit {

    private BestFit() {
    }

    /** Takes the best block out of its pool, or returns null. */
    static Block take(final AllocatorState state, final Request request) {
        final BlockPool pool = request.pool;
        if (state.collectsGarbage()) {
            pool.searches++;
        }
        final FreeSet free = pool.of(request.stream);
        Block block = free.atLeast(request.size);
        if (block != null && block.segment.isExpandable()) {
            block = state.settings.expandableSegments() ? leastExpandable(free, block) : whole(free, block);
        }
        if (block == null || !suits(state.settings, block, request.size)) {
            return null;
        }
        free.remove(block);
        return block;
    }

    static boolean splits(final AllocatorSettings settings, final Block block, final Request request) {
        final BlockPool pool = block.pool();
        if (pool.owner != null && pool.owner.noSplit) {
            return false;
        }
        final long remaining = block.size - request.size;
        if (pool.small || settings.expandableSegments()) {
            return remaining >= AllocatorSettings.MIN_BLOCK;
        }
        return request.size < settings.splitLimit && remaining > AllocatorSettings.SMALL_MAX;
    }

    private static boolean suits(final AllocatorSettings settings, final Block block, final long size) {
        if (size < settings.splitLimit) {
            return block.size < settings.splitLimit;
        }
        return block.size < size + settings.nonSplitRounding;
    }

    /** Prefers blocks that cannot grow: the growing tail of a segment is the last resort. */
    private static Block leastExpandable(final FreeSet free, final Block smallest) {
        Block block = smallest;
        Block next = free.next(block);
        while (block.segment.isExpandable() && next != null && expandableSize(next) < expandableSize(block)) {
            block = next;
            next = free.next(block);
        }
        return block;
    }

    private static long expandableSize(final Block block) {
        return block.size + (block.next != null && !block.next.mapped ? block.next.size : 0);
    }

    private static Block whole(final FreeSet free, final Block smallest) {
        Block block = smallest;
        while (block != null && block.segment.isExpandable()) {
            block = free.next(block);
        }
        return block;
    }
}
