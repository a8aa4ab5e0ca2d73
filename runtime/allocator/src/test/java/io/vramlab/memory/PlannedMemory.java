package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import java.util.HashMap;
import java.util.Map;

/** Memory of a device that exists only as numbers: addresses that are never used twice, and a capacity. */
public final class PlannedMemory implements DeviceMemory {

    private static final long GRANULE = 2L << 20;
    private static final long FIRST_ADDRESS = 1L << 44;

    private final long capacity;
    private final Map<Long, Long> segments = new HashMap<>();
    private long next = FIRST_ADDRESS;
    private long used;

    /** A device of that many bytes. */
    public PlannedMemory(final long capacity) {
        this.capacity = capacity;
    }

    @Override
    public long allocate(final long bytes) {
        if (bytes > capacity - used) {
            return OUT_OF_MEMORY;
        }
        used += bytes;
        final long address = advance(bytes);
        segments.put(address, bytes);
        return address;
    }

    @Override
    public void free(final long address) {
        used -= segments.remove(address);
    }

    @Override
    public long granularity() {
        return GRANULE;
    }

    @Override
    public long reserve(final long bytes) {
        return advance(bytes);
    }

    @Override
    public boolean map(final long address, final long bytes) {
        if (bytes > capacity - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    @Override
    public void unmap(final long address, final long bytes) {
        used -= bytes;
    }

    @Override
    public void release(final long address, final long bytes) {
        // addresses are never used again
    }

    @Override
    public long freeBytes() {
        return capacity - used;
    }

    @Override
    public long totalBytes() {
        return capacity;
    }

    private long advance(final long bytes) {
        final long address = next;
        next += (bytes + GRANULE - 1) / GRANULE * GRANULE;
        return address;
    }
}
