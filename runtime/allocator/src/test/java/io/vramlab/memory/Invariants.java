package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.PrivatePool;
import io.vramlab.memory.internal.block.Segment;
import java.util.List;

/** What is true of a caching allocator at all times; everything is counted anew from the blocks. */
final class Invariants {

    private static final int[] METRICS = {StatCounters.ALLOCATION, StatCounters.ALLOCATED_BYTES, StatCounters.ACTIVE,
            StatCounters.ACTIVE_BYTES, StatCounters.REQUESTED_BYTES, StatCounters.SEGMENT, StatCounters.RESERVED_BYTES,
            StatCounters.INACTIVE_SPLIT, StatCounters.INACTIVE_SPLIT_BYTES};

    private final AllocatorState state;
    private final long[] counted = new long[StatCounters.COUNT];
    private int idle;
    private int unmapped;
    private long mapped;

    private Invariants(final AllocatorState state) {
        this.state = state;
    }

    static void check(final CachingAllocator allocator) {
        allocator.locked(state -> {
            new Invariants(state).checkAll();
            return null;
        });
    }

    private void checkAll() {
        for (int i = 0; i < state.segments.size(); i++) {
            final Segment segment = state.segments.get(i);
            require(segment.index == i, "a segment knows its place");
            checkSegment(segment);
        }
        for (int i = 0; i < state.segments.size(); i++) {
            for (int j = i + 1; j < state.segments.size(); j++) {
                final Segment a = state.segments.get(i);
                final Segment b = state.segments.get(j);
                require(a.address + a.size <= b.address || b.address + b.size <= a.address, "segments do not overlap");
            }
        }
        require(mapped == state.reserved, "reserved memory is what is mapped");
        checkFreeSets();
        for (final int metric : METRICS) {
            for (int pool = 0; pool < 12; pool += 4) {
                if (state.stats.values[metric + pool] != counted[metric + pool]) {
                    assertEquals(counted[metric + pool], state.stats.values[metric + pool],
                            "recount of metric " + metric + " of pool " + pool / 4);
                }
                require(state.stats.values[metric + pool + 1] >= counted[metric + pool], "no peak below the present");
                require(state.stats.values[metric + pool + 2] - state.stats.values[metric
                        + pool + 3] == counted[metric + pool], "allocated minus freed is current");
            }
        }
        assertEquals(counted[StatCounters.OVERSIZE_ALLOCATIONS],
                state.stats.values[StatCounters.OVERSIZE_ALLOCATIONS]);
        assertEquals(counted[StatCounters.OVERSIZE_SEGMENTS], state.stats.values[StatCounters.OVERSIZE_SEGMENTS]);
    }

    private void checkSegment(final Segment segment) {
        final boolean small = segment.pool.small;
        if (!segment.isExpandable()) {
            count(StatCounters.SEGMENT, small, 1);
            if (segment.size >= state.settings.splitLimit) {
                counted[StatCounters.OVERSIZE_SEGMENTS]++;
            }
        }
        long address = segment.address;
        Block before = null;
        for (Block b = segment.first; b != null; b = b.next) {
            require(b.address == address && b.size > 0, "blocks tile their segment");
            require(b.prev == before && b.segment == segment && b.pool() == segment.pool, "links agree");
            require(before == null || !before.isIdle() || !b.isIdle() || before.mapped != b.mapped,
                    "free neighbours are merged");
            require(b.mapped || b.isIdle(), "what is not mapped is not in use");
            checkBlock(b, small);
            address += b.size;
            before = b;
        }
        require(address == segment.address + segment.size, "blocks fill their segment");
    }

    private void checkBlock(final Block b, final boolean small) {
        if (!b.mapped) {
            unmapped++;
            require(b.pool().unmapped.contains(b), "an unmapped block is in its pool's set");
            return;
        }
        mapped += b.size;
        count(StatCounters.RESERVED_BYTES, small, b.size);
        if (b.allocated) {
            count(StatCounters.ALLOCATION, small, 1);
            count(StatCounters.ALLOCATED_BYTES, small, b.size);
            require(state.handedOut.get(b.address) == b, "a block that is handed out is found by its address");
            require(b.size >= b.requested, "a block is as large as asked for");
            if (b.size >= state.settings.splitLimit) {
                counted[StatCounters.OVERSIZE_ALLOCATIONS]++;
            }
        }
        if (b.isActive()) {
            count(StatCounters.ACTIVE, small, 1);
            count(StatCounters.ACTIVE_BYTES, small, b.size);
            count(StatCounters.REQUESTED_BYTES, small, b.requested);
        } else {
            idle++;
            if (b.isSplit() && !b.segment.isExpandable()) {
                count(StatCounters.INACTIVE_SPLIT, small, 1);
                count(StatCounters.INACTIVE_SPLIT_BYTES, small, b.size);
            }
        }
    }

    private void checkFreeSets() {
        int free = inSets(state.small) + inSets(state.large);
        int missing = state.small.unmapped.size() + state.large.unmapped.size();
        for (final PrivatePool pool : state.privatePools) {
            free += inSets(pool.small) + inSets(pool.large);
            missing += pool.small.unmapped.size() + pool.large.unmapped.size();
        }
        require(free == idle, "the free sets hold the free blocks and no others");
        require(missing == unmapped, "the unmapped sets hold the unmapped blocks and no others");
    }

    private static int inSets(final BlockPool pool) {
        final List<Block> blocks = pool.freeBlocks();
        for (int i = 1; i < blocks.size(); i++) {
            final Block a = blocks.get(i - 1);
            final Block b = blocks.get(i);
            final int byStream = Long.compareUnsigned(a.stream(), b.stream());
            require(byStream < 0
                    || byStream == 0 && (a.size < b.size || a.size == b.size && a.address < b.address),
                    "free blocks are in order");
        }
        for (final Block block : blocks) {
            require(block.isIdle() && block.mapped && block.pool() == pool, "a block in a free set is free");
        }
        return blocks.size();
    }

    private void count(final int metric, final boolean small, final long amount) {
        counted[metric] += amount;
        counted[metric + (small ? 4 : 8)] += amount;
    }

    private static void require(final boolean holds, final String what) {
        if (!holds) {
            throw new AssertionError("violated: " + what);
        }
    }
}
