package io.vramlab.memory.internal.block;

import java.util.Arrays;

/**
 * A contiguous piece of a segment: handed out, waiting for events, free, or (in an expandable segment) not mapped.
 *
 * <p>
 * Blocks are reused through {@link BlockRecycler}, so that the hot path leaves no garbage. The links {@code left} and
 * {@code right} belong to the {@link FreeSet} that the block is in, {@code prev} and {@code next} to its segment.
 */
public final class Block {

    public long address;
    public long size;
    /** What the last owner of this object asked for; kept when the block is freed, as PyTorch keeps it. */
    public long requested;
    public Segment segment;

    public Block prev;
    public Block next;
    Block left;
    Block right;

    public boolean allocated;
    public boolean mapped;
    /** Events recorded at the free that have not completed. */
    public int eventCount;
    /** Other streams that use the block, until its free; null when there are none. */
    public long[] streamUses;
    /** The low half of the pool's search counter when the block became free: the origin of its age. */
    int searchesWhenFreed;
    /** Call site of the allocation, 0 when unknown or free. */
    public int site;

    /** The stream that the block serves. */
    public long stream() {
        return segment.stream;
    }

    public BlockPool pool() {
        return segment.pool;
    }

    public boolean isSplit() {
        return prev != null || next != null;
    }

    /** Free or unmapped: nobody uses it and nothing is pending on it. */
    public boolean isIdle() {
        return !allocated && eventCount == 0 && streamUses == null;
    }

    public boolean isActive() {
        return allocated || eventCount > 0 || streamUses != null;
    }

    public long end() {
        return address + size;
    }

    public long searchesSinceFreed() {
        return (int) segment.pool.searches - searchesWhenFreed & 0xffffffffL;
    }

    public void addStreamUse(final long user) {
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
    public void splice(final Block before, final Block after) {
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
