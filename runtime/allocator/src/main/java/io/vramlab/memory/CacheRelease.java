package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.FreeSet;
import io.vramlab.memory.internal.block.PrivatePool;
import io.vramlab.memory.internal.block.Request;
import java.util.List;
import java.util.function.Consumer;

/** Gives cached segments back to the driver: docs/allocator.md, "By age", "Just enough" and "Everything". */
final class CacheRelease {

    private final AllocatorState state;
    private final SegmentSource source;
    private final ExpandableSegments expandable;
    private final Consumer<Block> completeFree;

    CacheRelease(final AllocatorState state, final SegmentSource source, final ExpandableSegments expandable,
            final Consumer<Block> completeFree) {
        this.state = state;
        this.source = source;
        this.expandable = expandable;
        this.completeFree = completeFree;
    }

    /** Releases the older half of the cached large segments, again and again until the threshold is met. */
    void collectGarbage(final int site) {
        final long threshold = (long) (state.settings.garbageCollectionThreshold() * state.limit);
        if (state.reserved <= threshold) {
            return;
        }
        final long target = state.reserved - threshold;
        double totalAge = 0;
        int candidates = 0;
        for (final Block block : state.large.freeBlocks()) {
            if (!block.isSplit()) {
                totalAge += block.searchesSinceFreed();
                candidates++;
            }
        }
        long reclaimed = 0;
        boolean released = true;
        while (reclaimed < target && released && candidates > 0) {
            final double averageAge = totalAge / candidates;
            released = false;
            for (final Block block : state.large.freeBlocks()) {
                if (isReleasable(block) && block.searchesSinceFreed() >= averageAge) {
                    released = true;
                    reclaimed += block.size;
                    totalAge -= block.searchesSinceFreed();
                    candidates--;
                    source.release(block, site);
                }
            }
        }
    }

    /** With a maximum split size: releases one unsplittable block that is large enough, or several smaller ones. */
    boolean releaseEnough(final Request request) {
        if (!state.settings.limitsSplitting()) {
            return false;
        }
        final long limit = state.settings.splitLimit;
        final long needed = Math.max(request.size, limit);
        final FreeSet free = request.pool.of(request.stream);
        final Block single = free.atLeast(needed);
        if (single != null && isReleasable(single)) {
            source.release(single, request.site);
            return true;
        }
        long total = 0;
        Block block = free.below(needed);
        while (block != null && total < needed && block.size >= limit) {
            final Block previous = free.previous(block);
            if (isReleasable(block)) {
                total += block.size;
                source.release(block, request.site);
            }
            block = previous;
        }
        return total >= needed;
    }

    /** Waits for every pending free and releases every segment that is wholly free. */
    void releaseAll(final int site) {
        state.stats.count(StatCounters.SYNC_ALL_STREAMS);
        state.pending.await(completeFree);
        releasePool(state.large, site);
        releasePool(state.small, site);
        releaseAbandonedPools(site);
    }

    /** Releases the cached segments of memory pools that nobody holds, and forgets the pools that are empty. */
    void releaseAbandonedPools(final int site) {
        for (final PrivatePool pool : List.copyOf(state.privatePools)) {
            if (pool.useCount == 0) {
                releasePool(pool.small, site);
                releasePool(pool.large, site);
                if (state.segments.stream().noneMatch(s -> s.pool.owner == pool)) {
                    state.privatePools.remove(pool);
                }
            }
        }
    }

    private void releasePool(final BlockPool pool, final int site) {
        final List<Block> blocks = pool.freeBlocks();
        final List<Block> mapped = blocks.stream().filter(block -> block.segment.isExpandable()).toList();
        for (final Block block : blocks) {
            if (isReleasable(block)) {
                source.release(block, site);
            }
        }
        for (final Block block : mapped) {
            expandable.shrink(block, site);
        }
    }

    private static boolean isReleasable(final Block block) {
        return !block.isSplit() && !block.segment.isExpandable();
    }
}
