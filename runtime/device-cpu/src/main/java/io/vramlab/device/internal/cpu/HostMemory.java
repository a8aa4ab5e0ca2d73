package io.vramlab.device.internal.cpu;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceMemory;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The C library's heap up to a limit, and memory of others that is lent. Safe for use by several threads. */
final class HostMemory implements DeviceMemory, AutoCloseable {

    private final long capacityBytes;
    private final ConcurrentSkipListMap<Long, Long> allocations = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Long, Long> adopted = new ConcurrentSkipListMap<>();
    private final AtomicLong usedBytes = new AtomicLong();

    HostMemory(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    @Override
    public long allocate(long bytes) {
        if (bytes <= 0) {
            throw new DeviceException(bytes + " bytes were to be allocated on the CPU; the size must be positive.");
        }
        if (usedBytes.addAndGet(bytes) > capacityBytes || usedBytes.get() < 0) {
            usedBytes.addAndGet(-bytes);
            return OUT_OF_MEMORY;
        }
        long address = HostHeap.allocate(bytes);
        if (address == 0) {
            usedBytes.addAndGet(-bytes);
            return OUT_OF_MEMORY;
        }
        allocations.put(address, bytes);
        return address;
    }

    @Override
    public void free(long address) {
        Long bytes = allocations.remove(address);
        if (bytes == null) {
            throw new DeviceException(String.format(Locale.ROOT,
                    "Address 0x%x was to be freed on the CPU; no allocation starts there. "
                            + "Free exactly what was allocated, once.",
                    address));
        }
        usedBytes.addAndGet(-bytes);
        HostHeap.free(address);
    }

    @Override
    public long granularity() {
        return HostHeap.ALIGNMENT;
    }

    @Override
    public long reserve(long bytes) {
        throw noMapping();
    }

    @Override
    public boolean map(long address, long bytes) {
        throw noMapping();
    }

    @Override
    public void unmap(long address, long bytes) {
        throw noMapping();
    }

    @Override
    public void release(long address, long bytes) {
        throw noMapping();
    }

    private static DeviceException noMapping() {
        return new DeviceException("A range of addresses was to be reserved or mapped on the CPU; host memory is only "
                + "allocated and freed here. Use expandable segments on a GPU.");
    }

    @Override
    public long freeBytes() {
        return capacityBytes - usedBytes.get();
    }

    @Override
    public long totalBytes() {
        return capacityBytes;
    }

    void adopt(long address, long bytes) {
        adopted.put(address, bytes);
    }

    void disown(long address) {
        adopted.remove(address);
    }

    /** Whether the range lies wholly in one allocation or one adopted segment. */
    boolean isAccessible(long address, long bytes) {
        return holds(allocations, address, bytes) || holds(adopted, address, bytes);
    }

    private static boolean holds(ConcurrentSkipListMap<Long, Long> ranges, long address, long bytes) {
        Map.Entry<Long, Long> e = ranges.floorEntry(address);
        return e != null && address + bytes <= e.getKey() + e.getValue();
    }

    @Override
    public void close() {
        while (!allocations.isEmpty()) {
            free(allocations.firstKey());
        }
    }
}
