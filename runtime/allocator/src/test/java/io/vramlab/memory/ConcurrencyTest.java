package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 5000;

    private final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(8L << 30),
            StreamEvents.IMMEDIATE);

    @Test
    void severalThreadsMayAllocateFreeAndLook() throws InterruptedException, ExecutionException {
        allocator.recordHistory(HistoryOptions.withoutStacks());
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            final List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                final long stream = thread;
                done.add(threads.submit(() -> work(stream)));
            }
            for (final Future<?> one : done) {
                one.get();
            }
        }

        Invariants.check(allocator);
        assertEquals(0, allocator.stats().allocations());
        assertEquals((long) THREADS * ROUNDS, allocator.stats().get("allocation.all.allocated"));
        allocator.emptyCache();
        assertEquals(0, allocator.reservedBytes());
    }

    private void work(final long stream) {
        final SplittableRandom random = new SplittableRandom(stream);
        final List<Long> live = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            live.add(allocator.allocate(1 + random.nextLong(4 << 20), stream));
            if (random.nextBoolean() || live.size() > 50) {
                allocator.free(live.remove(random.nextInt(live.size())));
            }
            if (i % 500 == 0) {
                allocator.emptyCache();
                Invariants.check(allocator);
            }
        }
        live.forEach(allocator::free);
    }
}
