package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemPoolTest {

    private static final long MIB = 1L << 20;

    private final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
            StreamEvents.IMMEDIATE);

    private List<Long> poolIds() {
        return allocator.segments().stream().map(SegmentInfo::poolId).sorted().toList();
    }

    @Test
    void blocksMadeInAPoolComeFromItsSegmentsAndReturnToThem() {
        allocator.free(allocator.allocate(4 * MIB, 0));
        final MemPool pool = new MemPool(allocator, false, false);
        final long inside;
        try (MemPool.Use use = pool.use()) {
            inside = allocator.allocate(4 * MIB, 0);
        }
        assertEquals(List.of(0L, 1L), poolIds());

        allocator.free(inside);
        try (MemPool.Use use = pool.use()) {
            assertEquals(inside, allocator.allocate(4 * MIB, 0));
        }
        Invariants.check(allocator);
    }

    @Test
    void otherThreadsAreNotRouted() throws InterruptedException {
        final MemPool pool = new MemPool(allocator, false, false);
        try (MemPool.Use use = pool.use()) {
            final Thread other = new Thread(() -> allocator.allocate(4 * MIB, 0));
            other.start();
            other.join();
        }
        assertEquals(List.of(0L), poolIds());
    }

    @Test
    void closingAPoolReleasesItsCacheAndTheRestWhenItIsFree() {
        final MemPool pool = new MemPool(allocator, false, false);
        final long kept;
        try (MemPool.Use use = pool.use()) {
            kept = allocator.allocate(4 * MIB, 0);
            allocator.free(allocator.allocate(40 * MIB, 0));
        }
        pool.close();
        assertEquals(20 * MIB, allocator.reservedBytes());

        allocator.free(kept);
        allocator.emptyCache();
        assertEquals(0, allocator.reservedBytes());
        assertThrows(IllegalStateException.class, pool::use);
    }

    @Test
    void whatAPoolReleasesIsRecordedAtItsOwnTime() {
        allocator.recordHistory(HistoryOptions.withoutStacks());
        for (final boolean closedInUse : new boolean[]{false, true}) {
            final MemPool pool = new MemPool(allocator, false, false);
            final MemPool.Use use = pool.use();
            allocator.free(allocator.allocate(40 * MIB, 0));
            if (closedInUse) {
                pool.close();
            } else {
                use.close();
            }
            final long then = allocator.history().getLast().timeMicros();
            while (MicrosClock.now() == then) {
                Thread.onSpinWait();
            }

            pool.close();
            use.close();

            final TraceEntry last = allocator.history().getLast();
            assertEquals(TraceAction.SEGMENT_FREE, last.action());
            assertTrue(last.timeMicros() > then);
        }
    }

    @Test
    void aPoolWithoutSplitsKeepsItsBlocksWhole() {
        final MemPool pool = new MemPool(allocator, false, true);
        try (MemPool.Use use = pool.use()) {
            allocator.allocate(4 * MIB, 0);
        }
        assertEquals(20 * MIB, allocator.stats().allocatedBytes());
    }

    @Test
    void aPoolForOutOfMemoryServesOthersBeforeTheCacheIsFlushed() {
        allocator.setMemoryLimit(64 * MIB);
        final MemPool pool = new MemPool(allocator, true, false);
        try (MemPool.Use use = pool.use()) {
            allocator.free(allocator.allocate(60 * MIB, 0));
        }

        allocator.allocate(50 * MIB, 0);

        assertEquals(0, allocator.stats().get("num_alloc_retries"));
        assertEquals(List.of(1L), poolIds());
        Invariants.check(allocator);
    }

    @Test
    void whileAPoolIsInUseTheCacheIsNotFlushed() {
        allocator.setMemoryLimit(64 * MIB);
        allocator.free(allocator.allocate(60 * MIB, 0));
        final MemPool pool = new MemPool(allocator, false, false);
        try (MemPool.Use use = pool.use()) {
            final OutOfMemoryException oom = assertThrows(OutOfMemoryException.class,
                    () -> allocator.allocate(50 * MIB, 0));
            assertTrue(oom.reserved() > 0);
        }
        assertEquals(0, allocator.stats().get("num_alloc_retries"));
        assertEquals(1, allocator.stats().get("num_ooms"));
    }
}
