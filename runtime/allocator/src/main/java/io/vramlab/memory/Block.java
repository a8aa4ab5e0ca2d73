package io.vramlab.memory;

import java.util.Arrays;

/**
 * A contiguous piece of a segment: handed out, waiting for events, free, or (in an expandable segment) not mapped.
 *
 * <p>
 * Blocks are reused through {@link BlockRecycler}, so that the hot path leaves no garbage. The links {@code left} and
 * {@code right} belong to the {@link FreeSet} that the block is in, {@code prev} and {@code next} to its segment.
 */
final class Block {

    long address;
    long size;
    /** What the last owner of this object asked for; kept when the block is freed, as PyTorch keeps it. */
    long requested;
    Segment segment;

    Block prev;
    Block next;
    Block left;
    Block right;

    boolean allocated;
    boolean mapped;
    /** Events recorded at the free that have not completed. */
    int eventCount;
    /** Other streams that use the block, until its free; null when there are none. */
    long[] streamUses;
    /** The low half of the pool's search counter when the block became free: the origin of its age. */
    int searchesWhenFreed;
    /** Call site of the allocation, 0 when unknown or free. */
    int site;

    /** The stream that the block serves. */
    long stream() {
        return segment.stream;
    }

    BlockPool pool() {
        return segment.pool;
    }

    boolean isSplit() {
        return prev != null || next != null;
    }

    /** Free or unmapped: nobody uses it and nothing is pending on it. */
    boolean isIdle() {
        return !allocated && eventCount == 0 && streamUses == null;
    }

    boolean isActive() {
        return allocated || eventCount > 0 || streamUses != null;
    }

    long end() {
        return address + size;
    }

    long searchesSinceFreed() {
        return (int) segment.pool.searches - searchesWhenFreed & 0xffffffffL;
    }

    void addStreamUse(final long user) {
        final int count = streamUses == null ? 0 : streamUses.length;
        for (int i = 0; i < count; i++) {
            if (streamUses[i] == user) {
                return;
            }
        }
        streamUses = count == 0 ? new long[1] : Arrays.copyOf(streamUses, count + 1);
        streamUses[count] = user;
    }

    /** Puts this block between two neighbours, either of which may be missing. */
    void splice(final Block before, final Block after) {
        prev = before;
        next = after;
        if (before == null) {
            segment.first = this;
        } else {
            before.next = this;
        }
        if (after != null) {
            after.prev = this;
        }
    }
}
