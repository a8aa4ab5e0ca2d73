package io.vramlab.memory;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DevicePart;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The cache of page-locked host memory: docs/allocator.md, "Pinned host memory". Sizes are rounded up to powers of two;
 * a block is reused only for exactly its size, the last freed first, and never split. A block that streams use is
 * reused once the work that was on them at its free is done.
 *
 * <p>
 * Safe for use by several threads.
 */
public final class PinnedMemory {

    private static final DevicePart<PinnedMemory> PART = new DevicePart<>(d -> new PinnedMemory(d.driver()));
    private static final int ORDERS = 63;

    private static final class Host {

        private final MemorySegment memory;
        private final List<Long> streams = new ArrayList<>(1);

        private Host(final MemorySegment memory) {
            this.memory = memory;
        }
    }

    private record Pending(Host block, List<Long> events) {
    }

    private final DeviceDriver driver;
    private final StreamEvents events;
    private final PinnedStats stats = new PinnedStats();
    private final List<Deque<Host>> free = new ArrayList<>();
    private final Map<Long, Host> inUse = new HashMap<>();
    private final Deque<Pending> pending = new ArrayDeque<>();

    /**
     * A cache over a device's pinned memory.
     *
     * @param driver
     *            what page-locks the memory and knows the streams
     */
    public PinnedMemory(final DeviceDriver driver) {
        this.driver = driver;
        this.events = StreamEvents.of(driver);
        for (int order = 0; order < ORDERS; order++) {
            free.add(new ArrayDeque<>());
        }
    }

    /**
     * {@return the cache of a device}
     *
     * @param device
     *            any device; its driver is opened if it was not
     */
    public static PinnedMemory of(final Device device) {
        return PART.of(device);
    }

    /**
     * Page-locked memory.
     *
     * @param bytes
     *            how many; 0 gives an empty segment that needs no free
     * @return a segment of exactly {@code bytes} bytes; what it holds is left over from before
     * @throws IllegalArgumentException
     *             if {@code bytes} is negative or more than 2^62
     * @throws io.vramlab.device.DeviceException
     *             if the host has no memory to lock
     */
    public synchronized MemorySegment allocate(final long bytes) {
        if (bytes < 0 || bytes > 1L << ORDERS - 1) {
            throw new IllegalArgumentException(
                    "Pinned memory of " + bytes + " bytes was asked for; sizes are 0 to 2^62."
                            + " Check the shape that the size was computed from.");
        }
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        processEvents();
        final int order = 64 - Long.numberOfLeadingZeros(bytes - 1);
        final long rounded = 1L << order;
        Host block = free.get(order).pollFirst();
        if (block == null) {
            final long start = System.nanoTime();
            block = new Host(driver.allocatePinned(rounded));
            stats.allocTime.add((System.nanoTime() - start) / 1000);
            stats.allocations.increase(1);
            stats.allocatedBytes.increase(rounded);
        }
        stats.activeRequests.increase(1);
        stats.activeBytes.increase(rounded);
        inUse.put(block.memory.address(), block);
        return block.memory.asSlice(0, bytes);
    }

    /**
     * Says that a stream's work uses the memory: it is reused only after what is on that stream at the free.
     *
     * @param memory
     *            what {@link #allocate} returned; another, or one given back already, is ignored
     * @param stream
     *            handle of the stream
     */
    public synchronized void recordStream(final MemorySegment memory, final long stream) {
        final Host block = inUse.get(memory.address());
        if (block != null && !block.streams.contains(stream)) {
            block.streams.add(stream);
        }
    }

    /**
     * Gives memory back to the cache.
     *
     * @param memory
     *            what {@link #allocate} returned, whole or its beginning; an empty segment is ignored
     * @throws IllegalArgumentException
     *             if it is not what {@link #allocate} returned, or was given back already
     */
    public synchronized void free(final MemorySegment memory) {
        if (memory.byteSize() == 0) {
            return;
        }
        final Host block = inUse.remove(memory.address());
        if (block == null) {
            throw new IllegalArgumentException("Pinned memory at 0x" + Long.toHexString(memory.address())
                    + " was to be freed; none that is in use starts there. Free exactly what was allocated, once.");
        }
        if (block.streams.isEmpty()) {
            recycle(block);
        } else {
            final List<Long> marks = block.streams.stream().map(events::record).toList();
            block.streams.clear();
            pending.addLast(new Pending(block, marks));
        }
    }

    /** Gives every cached block back to the driver. {@code Cuda.emptyCache()} does not do this, as in PyTorch. */
    public synchronized void emptyCache() {
        processEvents();
        for (final Deque<Host> blocks : free) {
            for (Host block = blocks.pollFirst(); block != null; block = blocks.pollFirst()) {
                final long bytes = block.memory.byteSize();
                final long start = System.nanoTime();
                driver.freePinned(block.memory);
                stats.freeTime.add((System.nanoTime() - start) / 1000);
                stats.allocations.decrease(1);
                stats.allocatedBytes.decrease(bytes);
            }
        }
    }

    /** {@return the statistics, sorted by key; bytes are those of the rounded blocks, times in microseconds} */
    public synchronized SortedMap<String, Long> stats() {
        return stats.asMap();
    }

    /** Recycles the blocks whose streams are done, oldest first, up to the first that is not. */
    private void processEvents() {
        while (!pending.isEmpty() && pending.peekFirst().events.stream().allMatch(events::isComplete)) {
            final Pending first = pending.pollFirst();
            first.events.forEach(events::done);
            recycle(first.block);
        }
    }

    private void recycle(final Host block) {
        final long bytes = block.memory.byteSize();
        stats.activeRequests.decrease(1);
        stats.activeBytes.decrease(bytes);
        free.get(63 - Long.numberOfLeadingZeros(bytes)).addFirst(block);
    }
}
