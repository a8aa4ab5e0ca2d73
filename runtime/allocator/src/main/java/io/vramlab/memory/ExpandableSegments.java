package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.Merging;
import io.vramlab.memory.internal.block.Request;
import io.vramlab.memory.internal.block.Segment;

/**
 * Segments reserved larger than the device and mapped granule by granule as they grow: docs/allocator.md,
 * "Expandable segments". The parts with no memory behind them are blocks too, kept in their pool's {@code unmapped}
 * set.
 */
final class ExpandableSegments {

    private final AllocatorState state;
    private final Merging merging;

    ExpandableSegments(final AllocatorState state, final Merging merging) {
        this.state = state;
        this.merging = merging;
    }

    /** Maps what is missing for a request; returns the free block, in no pool, or null when the device has no room. */
    Block grow(final Request request) {
        Block block = roomFor(request);
        if (block == null || !block.mapped && !map(block, Math.min(block.size, request.size), request.site)) {
            return null;
        }
        while (block.size < request.size) {
            final Block next = block.next;
            if (!map(next, Math.min(request.size - block.size, next.size), request.site)) {
                return null;
            }
            block = next;
        }
        block.pool().remove(block);
        return block;
    }

    /** Takes back the granules that lie wholly inside a free block, and the reservation when nothing is left in it. */
    void shrink(final Block block, final int site) {
        final Segment segment = block.segment;
        final long start = granuleUp(segment, block.address);
        final long end = granuleDown(segment, block.end());
        if (start < end) {
            unmap(block, start, end, site);
        }
        if (!block.mapped) {
            dropIfWhole(block);
        }
    }

    /** The lowest run of free and unmapped blocks that is long enough, in a new reservation if need be. */
    private Block roomFor(final Request request) {
        for (Block unmapped = firstUnmapped(request); unmapped != null
                && unmapped.stream() == request.stream; unmapped = request.pool.unmapped.higher(unmapped)) {
            final Block start = unmapped.prev != null && unmapped.prev.isIdle() ? unmapped.prev : unmapped;
            long bytes = 0;
            for (Block b = start; b != null && b.isIdle() && bytes < request.size; b = b.next) {
                bytes += b.size;
            }
            if (bytes >= request.size) {
                return start;
            }
        }
        return reserve(request);
    }

    private static Block firstUnmapped(final Request request) {
        final Block key = new Block();
        key.segment = new Segment(Long.MIN_VALUE, 0, request.stream, request.pool, 1, 0);
        key.address = Long.MIN_VALUE;
        return request.pool.unmapped.ceiling(key);
    }

    /** Reserves 1 1/8 of the device's memory, so that granules can move from early addresses to late ones. */
    private Block reserve(final Request request) {
        final long unit = request.pool.small ? AllocatorSettings.SMALL_SEGMENT : state.settings.largeSegment();
        final long granule = roundUp(unit, state.memory.granularity());
        final long total = state.memory.totalBytes();
        final long size = roundUp(Math.max(total + total / 8, request.size), granule);
        final long address = state.memory.reserve(size);
        if (address == DeviceMemory.OUT_OF_MEMORY) {
            return null;
        }
        final Segment segment = new Segment(address, size, request.stream, request.pool, granule, request.site);
        state.addSegment(segment);
        final Block block = state.recycler.take(segment, address, size);
        segment.first = block;
        block.mapped = false;
        request.pool.unmapped.add(block);
        return block;
    }

    /** Maps the granules that cover the first {@code bytes} of an unmapped block; it joins its free neighbours. */
    private boolean map(final Block block, final long bytes, final int site) {
        final Segment segment = block.segment;
        final long mapped = granuleUp(segment, block.address + bytes) - block.address;
        if (!state.memory.map(block.address, mapped)) {
            dropIfWhole(block);
            return false;
        }
        final long start = block.address;
        segment.pool.unmapped.remove(block);
        block.mapped = true;
        if (mapped < block.size) {
            final Block rest = state.recycler.take(segment, block.address + mapped, block.size - mapped);
            rest.mapped = false;
            rest.splice(block, block.next);
            segment.pool.unmapped.add(rest);
            block.size = mapped;
        }
        merging.absorb(block, block.prev);
        merging.absorb(block, block.next);
        segment.pool.add(block);
        state.gained(TraceAction.SEGMENT_MAP, start, mapped, segment, site);
        return true;
    }

    /** Gives a reservation up that has no memory in it any more. */
    private void dropIfWhole(final Block unmapped) {
        if (!unmapped.isSplit()) {
            final Segment segment = unmapped.segment;
            segment.pool.unmapped.remove(unmapped);
            state.removeSegment(segment);
            state.recycler.give(unmapped);
            state.memory.release(segment.address, segment.size);
        }
    }

    private void unmap(final Block block, final long start, final long end, final int site) {
        final Segment segment = block.segment;
        final BlockPool pool = segment.pool;
        state.events.synchronize(segment.stream);
        state.memory.unmap(start, end - start);
        pool.remove(block);
        if (start > block.address) {
            final Block before = state.recycler.take(segment, block.address, start - block.address);
            before.splice(block.prev, block);
            pool.add(before);
        }
        if (block.end() > end) {
            final Block after = state.recycler.take(segment, end, block.end() - end);
            after.splice(block, block.next);
            pool.add(after);
        }
        block.address = start;
        block.size = end - start;
        block.mapped = false;
        merging.absorb(block, block.prev);
        merging.absorb(block, block.next);
        pool.unmapped.add(block);
        state.lost(TraceAction.SEGMENT_UNMAP, start, end - start, segment, site);
    }

    private static long granuleUp(final Segment segment, final long address) {
        return segment.address + roundUp(address - segment.address, segment.granule);
    }

    private static long granuleDown(final Segment segment, final long address) {
        return address - (address - segment.address) % segment.granule;
    }

    private static long roundUp(final long value, final long unit) {
        return (value + unit - 1) / unit * unit;
    }
}
