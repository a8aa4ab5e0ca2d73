package io.vramlab.memory;

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
    long stream;
    BlockPool pool;
    Segment segment;

    Block prev;
    Block next;
    Block left;
    Block right;

    boolean allocated;
    boolean mapped;
    /** Events recorded at the free that have not completed. */
    int eventCount;
    /** Other streams that use the block, until its free. */
    long[] streamUses = NO_STREAMS;
    int streamUseCount;
    /** The pool's search counter when the block became free: the origin of its age. */
    long searchesWhenFreed;
    /** Call site of the allocation, 0 when unknown or free. */
    int site;

    private static final long[] NO_STREAMS = new long[0];

    boolean isSplit() {
        return prev != null || next != null;
    }

    /** Free or unmapped: nobody uses it and nothing is pending on it. */
    boolean isIdle() {
        return !allocated && eventCount == 0 && streamUseCount == 0;
    }

    boolean isActive() {
        return allocated || eventCount > 0 || streamUseCount > 0;
    }

    long end() {
        return address + size;
    }

    long searchesSinceFreed() {
        return pool.searches - searchesWhenFreed;
    }

    void addStreamUse(final long user) {
        for (int i = 0; i < streamUseCount; i++) {
            if (streamUses[i] == user) {
                return;
            }
        }
        if (streamUseCount == streamUses.length) {
            streamUses = java.util.Arrays.copyOf(streamUses, Math.max(2, 2 * streamUseCount));
        }
        streamUses[streamUseCount++] = user;
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
