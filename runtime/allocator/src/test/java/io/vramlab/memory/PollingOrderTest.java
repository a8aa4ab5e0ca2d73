package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PollingOrderTest {

    /** Streams done at once; stream {@code first} is polled before the other. */
    private record Order(long first) implements StreamEvents {

        @Override
        public int pollingOrder(final long stream) {
            return stream == first ? 0 : 1;
        }

        @Override
        public long record(final long stream) {
            return 1;
        }

        @Override
        public boolean isComplete(final long event) {
            return true;
        }

        @Override
        public void await(final long event) {
            // complete
        }

        @Override
        public void done(final long event) {
            // nothing is held
        }

        @Override
        public void synchronize(final long stream) {
            // complete
        }
    }

    /** What the free block shows that two neighbours joined to, one used by stream 1, the other by stream 2. */
    private static long survivor(final long polledFirst) {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
                new Order(polledFirst));
        final long a = allocator.allocate(1000, 0);
        final long b = allocator.allocate(2000, 0);
        allocator.allocate(512, 0);
        allocator.recordStream(a, 1);
        allocator.recordStream(b, 2);
        allocator.free(a);
        allocator.free(b);
        allocator.allocate(4000, 0);
        return allocator.segments().get(0).blocks().get(0).requested();
    }

    @Test
    void theBlockThatIsCompletedLastSurvivesTheJoining() {
        assertEquals(2000, survivor(1));
        assertEquals(1000, survivor(2));
    }
}
