package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every allocator does, cached or not. */
class AllocatorContractTest {

    private static final long MIB = 1L << 20;

    static Stream<Allocator> allocators() {
        return Stream.of(new CachingAllocator(0, new PlannedMemory(64 * MIB), StreamEvents.IMMEDIATE),
                new CachingAllocator(0, new PlannedMemory(64 * MIB), StreamEvents.IMMEDIATE,
                        AllocatorSettings.DEFAULT.with("expandable_segments:True"), List::of),
                new UncachedAllocator(0, new PlannedMemory(64 * MIB), StreamEvents.IMMEDIATE));
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void liveAllocationsDoNotOverlap(final Allocator allocator) {
        final long a = allocator.allocate(1000, 0);
        final long b = allocator.allocate(1000, 0);

        assertTrue(Math.abs(a - b) >= 1000);
        allocator.free(a);
        allocator.free(b);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void zeroBytesGiveAddressZeroWhichFreesAsNothing(final Allocator allocator) {
        assertEquals(0, allocator.allocate(0, 0));
        allocator.free(0);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void negativeSizesAndForeignAddressesAreRefused(final Allocator allocator) {
        final long address = allocator.allocate(1000, 0);

        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> allocator.free(address + 1));
        allocator.free(address);
        assertThrows(IllegalArgumentException.class, () -> allocator.free(address));
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void afterRunningOutOfMemoryTheNextAllocationWorks(final Allocator allocator) {
        final long kept = allocator.allocate(20 * MIB, 0);

        final OutOfMemoryException oom = assertThrows(OutOfMemoryException.class,
                () -> allocator.allocate(60 * MIB, 0));

        assertEquals(60 * MIB, oom.requested());
        assertNotEquals(0, allocator.allocate(20 * MIB, 0));
        allocator.free(kept);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void pressureCallbacksAreAskedBeforeMemoryIsOut(final Allocator allocator) {
        final List<Long> abandoned = new ArrayList<>(List.of(allocator.allocate(40 * MIB, 0)));
        allocator.onPressure(() -> {
            final boolean any = !abandoned.isEmpty();
            abandoned.forEach(allocator::free);
            abandoned.clear();
            return any;
        });

        assertNotEquals(0, allocator.allocate(40 * MIB, 0));
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void aPressureCallbackThatIsAddedTwiceIsAskedOnce(final Allocator allocator) {
        final List<String> asked = new ArrayList<>();
        final BooleanSupplier callback = () -> {
            asked.add("asked");
            return false;
        };
        allocator.onPressure(callback);
        allocator.onPressure(callback);

        assertThrows(OutOfMemoryException.class, () -> allocator.allocate(100 * MIB, 0));

        assertEquals(List.of("asked"), asked);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void listenersHearOfBlocksUntilTheyAreRemoved(final Allocator allocator) {
        final List<Long> heard = new ArrayList<>();
        final MemoryListener listener = new MemoryListener() {

            @Override
            public void allocated(final long address, final long bytes, final long requested, final long stream,
                    final int site) {
                heard.add(requested);
            }

            @Override
            public void freed(final long address, final long bytes, final long requested, final long stream,
                    final int site) {
                heard.add(-requested);
            }
        };
        allocator.addListener(listener);
        allocator.free(allocator.allocate(1000, 0));
        allocator.removeListener(listener);
        allocator.free(allocator.allocate(2000, 0));

        assertEquals(List.of(1000L, -1000L), heard);
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void thereAreAlways122Statistics(final Allocator allocator) {
        assertEquals(122, allocator.stats().asMap().size());
        assertEquals(-1, allocator.stats().get("max_split_size"));
    }
}
