package io.vramlab.magics.oom;

import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.StreamEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A second allocator in the state of a failure.
 *
 * <p>
 * Built in three passes: every segment is obtained and filled, so that no allocation can stray; then, one segment after
 * the other, it is emptied and its blocks are allocated by address, free ones included; at last the free ones are freed.
 * Memory of pools, and expandable segments, which other requests cannot be served from, only take their room.
 */
final class StateCopy {

    private static final long SMALL_PIECE = 1L << 20;

    private final CachingAllocator allocator;
    private final Map<Long, Long> pieces = new HashMap<>();
    private boolean exact = true;

    private StateCopy(CachingAllocator allocator) {
        this.allocator = allocator;
    }

    /** The state of the failure, block by block, without the blocks at those addresses, and under another limit. */
    static StateCopy of(Failure failure, Set<Long> without, long limit) {
        List<SegmentInfo> copied = new ArrayList<>();
        long elsewhere = 0;
        for (SegmentInfo segment : failure.segments()) {
            if (segment.poolId() == 0 && !segment.expandable()) {
                copied.add(segment);
            } else {
                elsewhere += segment.totalSize() - freed(segment, without);
            }
        }
        CopiedMemory memory = new CopiedMemory(Math.max(512, failure.capacity() - elsewhere));
        StateCopy copy = new StateCopy(new CachingAllocator(0, memory, StreamEvents.IMMEDIATE));
        copy.fill(copied, memory);
        copied.forEach(copy::layOut);
        copied.forEach(segment -> copy.letGo(segment, without));
        copy.allocator.configure(failure.settings());
        if (limit < Long.MAX_VALUE) {
            copy.allocator.setMemoryLimit(Math.max(0, limit - elsewhere));
        }
        return copy;
    }

    /** Expandable segments give back the pages of what is freed; a pool gives back a segment that is wholly free. */
    private static long freed(SegmentInfo segment, Set<Long> without) {
        long freed = 0;
        for (BlockInfo block : segment.blocks()) {
            freed += block.state() == BlockState.INACTIVE || without.contains(block.address()) ? block.size() : 0;
        }
        return segment.expandable() || freed == segment.totalSize() ? freed : 0;
    }

    /**
     * The same live blocks allocated one after the other, by address, on an empty device under other settings: what a
     * program that starts with them would come to.
     */
    static StateCopy afresh(Failure failure, AllocatorSettings settings, long limit) {
        CachingAllocator allocator = new CachingAllocator(0, new CopiedMemory(failure.capacity()),
                StreamEvents.IMMEDIATE, settings, List::of);
        if (limit < Long.MAX_VALUE) {
            allocator.setMemoryLimit(limit);
        }
        StateCopy copy = new StateCopy(allocator);
        for (SegmentInfo segment : failure.segments()) {
            for (BlockInfo block : segment.blocks()) {
                if (block.state() != BlockState.INACTIVE && copy.exact) {
                    copy.exact = copy.fits(block.requested(), segment.stream());
                }
            }
        }
        return copy;
    }

    /** False when the state could not be rebuilt, so that nothing can be told from it. */
    boolean exact() {
        return exact;
    }

    /** True when the request succeeds here; it stays allocated. */
    boolean fits(long bytes, long stream) {
        try {
            allocator.allocate(bytes, stream);
            return true;
        } catch (OutOfMemoryException e) {
            return false;
        }
    }

    private void fill(List<SegmentInfo> segments, CopiedMemory memory) {
        for (SegmentInfo segment : segments) {
            memory.next(segment.address());
            if (segment.small()) {
                for (long at = 0; at < segment.totalSize(); at += SMALL_PIECE) {
                    allocate(segment.address() + at, SMALL_PIECE, segment.stream());
                }
            } else {
                allocate(segment.address(), segment.totalSize(), segment.stream());
            }
        }
    }

    private void allocate(long expected, long bytes, long stream) {
        try {
            long address = allocator.allocate(bytes, stream);
            pieces.put(expected, address);
            exact &= address == expected;
        } catch (OutOfMemoryException e) {
            exact = false;
        }
    }

    private void layOut(SegmentInfo segment) {
        long step = segment.small() ? SMALL_PIECE : segment.totalSize();
        for (long at = 0; at < segment.totalSize(); at += step) {
            free(segment.address() + at);
        }
        for (BlockInfo block : segment.blocks()) {
            long most = segment.small() ? SMALL_PIECE : block.size();
            for (long at = 0; at < block.size(); at += most) {
                allocate(block.address() + at, Math.min(most, block.size() - at), segment.stream());
            }
        }
    }

    private void letGo(SegmentInfo segment, Set<Long> without) {
        for (BlockInfo block : segment.blocks()) {
            if (block.state() == BlockState.INACTIVE || without.contains(block.address())) {
                long most = segment.small() ? SMALL_PIECE : block.size();
                for (long at = 0; at < block.size(); at += most) {
                    free(block.address() + at);
                }
            }
        }
    }

    private void free(long expected) {
        Long address = pieces.remove(expected);
        if (address != null) {
            allocator.free(address);
        }
    }
}
