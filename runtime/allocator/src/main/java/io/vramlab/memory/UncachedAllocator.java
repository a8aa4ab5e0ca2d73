package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Every allocation is one of the driver's: host memory, and GPUs under {@code PYTORCH_NO_CUDA_MEMORY_CACHING=1}, which
 * people set to let {@code compute-sanitizer} see each allocation.
 *
 * <p>
 * What it is good for: no two tensors share a range of the driver's, so an access beyond the end of one is seen; and
 * since nothing is cached or split, memory runs out only when the tensors themselves, as the driver rounds them, are too
 * much.
 *
 * <p>
 * What it is <em>not</em> good for:
 * <ul>
 * <li>measuring: as in PyTorch all statistics stay 0, and there is neither history nor snapshot (listeners are told);
 * <li>predicting a cached run: peaks lack rounding and fragmentation, so a program that fits here may not fit there;
 * <li>limits: {@link #setMemoryFraction} throws, as only the caching allocator keeps to one;
 * <li>speed: each free waits until its stream has done all its work.
 * </ul>
 *
 * <p>
 * Thread-safe: one map of what is live, no lock. Two threads that ask for the last free bytes may both be refused, each
 * after its callbacks of {@link #onPressure} ran.
 */
public final class UncachedAllocator implements Allocator {

    private final int device;
    private final DeviceMemory memory;
    private final StreamEvents events;
    private final Map<Long, Live> live = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<BooleanSupplier> pressure = new CopyOnWriteArrayList<>();
    private final List<MemoryListener> listeners = new CopyOnWriteArrayList<>();

    private record Live(long bytes, long stream) {
    }

    /**
     * An allocator over a device's memory.
     *
     * @param device
     *            its index, for messages
     * @param memory
     *            where memory comes from
     * @param events
     *            the device's streams: a free waits for the stream it belongs to
     */
    public UncachedAllocator(final int device, final DeviceMemory memory, final StreamEvents events) {
        this.device = device;
        this.memory = memory;
        this.events = events;
    }

    @Override
    public long allocate(final long bytes, final long stream) {
        return allocate(bytes, stream, 0);
    }

    @Override
    public long allocate(final long bytes, final long stream, final int site) {
        if (bytes < 0) {
            throw new IllegalArgumentException("Cannot allocate " + bytes
                    + " bytes: sizes are never negative. Check the shape that the size was computed from.");
        }
        if (bytes == 0) {
            return 0;
        }
        if (bytes >= OutOfMemoryException.TOO_LARGE) {
            throw OutOfMemoryException.moreThanOneExabyte(device, bytes);
        }
        long address = memory.allocate(bytes);
        if (address == DeviceMemory.OUT_OF_MEMORY && release()) {
            address = memory.allocate(bytes);
        }
        if (address == DeviceMemory.OUT_OF_MEMORY) {
            throw outOfMemory(bytes, stream);
        }
        live.put(address, new Live(bytes, stream));
        for (final MemoryListener listener : listeners) {
            listener.allocated(address, bytes, bytes, stream, site);
        }
        return address;
    }

    private boolean release() {
        boolean freed = false;
        for (final BooleanSupplier callback : pressure) {
            freed |= callback.getAsBoolean();
        }
        return freed;
    }

    private OutOfMemoryException outOfMemory(final long bytes, final long stream) {
        final long used = live.values().stream().mapToLong(Live::bytes).sum();
        final long free = memory.freeBytes();
        final OutOfMemoryException failure = new OutOfMemoryException(new OutOfMemoryException.Figures(device, bytes,
                bytes, bytes, 0, used, used, 0, free, memory.totalBytes()), "");
        for (final MemoryListener listener : listeners) {
            listener.outOfMemory(failure, stream);
        }
        return failure;
    }

    @Override
    public void free(final long address) {
        if (address == 0) {
            return;
        }
        final Live freed = live.remove(address);
        if (freed == null) {
            throw new IllegalArgumentException("invalid device pointer: 0x" + Long.toHexString(address));
        }
        for (final MemoryListener listener : listeners) {
            listener.freed(address, freed.bytes, freed.bytes, freed.stream, 0);
        }
        events.synchronize(freed.stream);
        memory.free(address);
    }

    @Override
    public void recordStream(final long address, final long stream) {
        // the driver's free waits for all work that uses the memory
    }

    @Override
    public void emptyCache() {
        // there is no cache
    }

    @Override
    public MemoryStats stats() {
        return MemoryStats.none();
    }

    @Override
    public void resetPeakMemoryStats() {
        // statistics stay 0
    }

    @Override
    public void resetAccumulatedMemoryStats() {
        // statistics stay 0
    }

    @Override
    public void setMemoryFraction(final double fraction) {
        throw new UnsupportedOperationException("A memory fraction of " + fraction
                + " was asked for, but caching is off, and only the caching allocator keeps to a limit."
                + " Unset PYTORCH_NO_CUDA_MEMORY_CACHING.");
    }

    @Override
    public double memoryFraction() {
        return 1;
    }

    @Override
    public void onPressure(final BooleanSupplier callback) {
        pressure.addIfAbsent(callback);
    }

    @Override
    public List<SegmentInfo> segments() {
        return List.of();
    }

    @Override
    public void addListener(final MemoryListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(final MemoryListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void recordHistory(final HistoryOptions options) {
        // nothing is recorded, as in PyTorch
    }

    @Override
    public List<TraceEntry> history() {
        return List.of();
    }
}
