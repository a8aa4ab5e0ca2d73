package io.vramlab.device.internal.cuda;

import io.vramlab.device.ByteSize;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceMemory;
import io.vramlab.device.internal.model.IntervalSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmemAllocationGranularity_flags;
import jcuda.driver.CUmemAllocationProp;
import jcuda.driver.CUmemAllocationType;
import jcuda.driver.CUmemLocation;
import jcuda.driver.CUmemLocationType;
import jcuda.driver.JCudaDriver;

/**
 * A GPU's memory. Mapped ranges are made of one physical allocation per granule, because the driver unmaps only what was
 * mapped as one.
 */
final class CudaMemory implements DeviceMemory {

    private final CudaContext context;
    private final CudaStatus status;
    private final MappingCalls mapping;
    private final long granularity;
    private final long limitBytes;
    private long usedBytes;
    private final Map<Long, Long> allocations = new HashMap<>();
    private final List<Long> outside = new ArrayList<>();
    private final Map<Long, Long> reservations = new HashMap<>();
    private final IntervalSet reserved = new IntervalSet();
    private final TreeMap<Long, Long> granules = new TreeMap<>();

    /**
     * Nothing allocated yet.
     *
     * @param limitBytes
     *            how much of the device to pretend there is
     */
    CudaMemory(CudaContext context, int ordinal, long limitBytes) {
        this.limitBytes = limitBytes;
        this.context = context;
        this.status = context.status();
        this.mapping = context.calls().mapping(ordinal);
        CUmemAllocationProp physical = new CUmemAllocationProp();
        physical.type = CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED;
        physical.location = new CUmemLocation(CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, ordinal);
        long[] g = new long[1];
        status.check(JCudaDriver.cuMemGetAllocationGranularity(g, physical,
                CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM), "The size of its pages");
        granularity = g[0];
    }

    @Override
    public synchronized long allocate(long bytes) {
        requirePositive(bytes, "allocated");
        context.enter();
        if (bytes > limitBytes - usedBytes) {
            return OUT_OF_MEMORY; // also because past 2^48 the driver calls the size invalid instead
        }
        long address = alloc(bytes);
        if (address != OUT_OF_MEMORY) {
            allocations.put(address, bytes);
            usedBytes += bytes;
        }
        return address;
    }

    /**
     * Memory for kernels to work in, given back with the device: outside the limit, as the context and libraries are, so that
     * what is free inside it is the same as on a simulated GPU.
     */
    synchronized long allocateOutside(long bytes) {
        context.enter();
        long address = alloc(bytes);
        if (address != OUT_OF_MEMORY) {
            outside.add(address);
        }
        return address;
    }

    private long alloc(long bytes) {
        Address address = new Address();
        int code = JCudaDriver.cuMemAlloc(address, bytes);
        if (code == CudaStatus.OUT_OF_MEMORY) {
            return OUT_OF_MEMORY;
        }
        status.check(code, "Allocating " + ByteSize.text(bytes));
        return address.value();
    }

    @Override
    public synchronized void free(long address) {
        Long bytes = allocations.remove(address);
        if (bytes == null) {
            throw refused("Address 0x%x was to be freed; no allocation starts there. "
                    + "Free exactly what was allocated, once.", address);
        }
        usedBytes -= bytes;
        context.enterEvenIfLost();
        check(JCudaDriver.cuMemFree(new Address(address)), "Freeing an allocation");
    }

    @Override
    public long granularity() {
        return granularity;
    }

    @Override
    public synchronized long reserve(long bytes) {
        requireGranules(0, bytes, "reserved");
        context.enter();
        Address address = new Address();
        int code = JCudaDriver.cuMemAddressReserve(address, bytes, 0, new CUdeviceptr(), 0);
        if (code == CudaStatus.OUT_OF_MEMORY) {
            return OUT_OF_MEMORY;
        }
        status.check(code, "Reserving addresses for " + ByteSize.text(bytes));
        reservations.put(address.value(), bytes);
        reserved.add(address.value(), bytes);
        return address.value();
    }

    @Override
    public synchronized boolean map(long address, long bytes) {
        requireGranules(address, bytes, "mapped");
        if (!reserved.contains(address, bytes) || !granules.subMap(address, address + bytes).isEmpty()) {
            throw refused("%s at 0x%x was to be mapped; the range is not wholly reserved and unmapped. "
                    + "Reserve it first, and unmap what is there.", ByteSize.text(bytes), address);
        }
        context.enter();
        if (bytes > freeBytes()) {
            return false; // spares making and undoing thousands of granules
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            for (long done = 0; done < bytes; done += granularity) {
                int code = mapping.create(handle, granularity);
                if (code == CudaStatus.OUT_OF_MEMORY) {
                    unmapGranules(address, done);
                    return false;
                }
                status.check(code, "Making " + ByteSize.text(granularity) + " to map");
                long made = handle.get(ValueLayout.JAVA_LONG, 0);
                status.check(mapping.map(address + done, granularity, made), "Mapping it");
                granules.put(address + done, made);
                usedBytes += granularity;
            }
        }
        status.check(mapping.makeAccessible(address, bytes), "Making a mapping accessible");
        return true;
    }

    @Override
    public synchronized void unmap(long address, long bytes) {
        requireGranules(address, bytes, "unmapped");
        if (granules.subMap(address, address + bytes).size() != bytes / granularity) {
            throw refused("%s at 0x%x was to be unmapped; not all of it is mapped. Unmap what was mapped, once.",
                    ByteSize.text(bytes), address);
        }
        context.enterEvenIfLost();
        unmapGranules(address, bytes);
    }

    private void unmapGranules(long address, long bytes) {
        for (long a = address; a < address + bytes; a += granularity) {
            usedBytes -= granularity;
            check(mapping.unmap(a, granularity), "Unmapping a granule");
            check(mapping.release(granules.remove(a)), "Giving a granule back");
        }
    }

    @Override
    public synchronized void release(long address, long bytes) {
        Long size = reservations.get(address);
        if (size == null || size != bytes || !granules.subMap(address, address + bytes).isEmpty()) {
            throw refused(
                    "The reservation of %s at 0x%x was to be released; there is none of that size, or something is "
                            + "still mapped in it. Unmap all of it first.",
                    ByteSize.text(bytes), address);
        }
        reservations.remove(address);
        reserved.remove(address, bytes);
        context.enterEvenIfLost();
        check(JCudaDriver.cuMemAddressFree(new Address(address), bytes), "Releasing addresses");
    }

    @Override
    public synchronized long freeBytes() {
        context.enter();
        long[] free = new long[1];
        status.check(JCudaDriver.cuMemGetInfo(free, new long[1]), "How much memory is free");
        return Math.min(free[0], limitBytes - usedBytes);
    }

    @Override
    public long totalBytes() {
        return limitBytes;
    }

    /** Gives everything back. */
    synchronized void close() {
        context.enterEvenIfLost();
        for (long a : allocations.keySet().toArray(Long[]::new)) {
            free(a);
        }
        outside.forEach(a -> check(JCudaDriver.cuMemFree(new Address(a)), "Freeing working memory"));
        outside.clear();
        for (long a : granules.keySet().toArray(Long[]::new)) {
            unmapGranules(a, granularity);
        }
        reservations.entrySet().stream().toList().forEach(e -> release(e.getKey(), e.getValue()));
    }

    /** A lost context refuses to take anything back; its process ends, and everything with it. */
    private void check(int code, String what) {
        if (!status.isLost()) {
            status.check(code, what);
        }
    }

    private void requirePositive(long bytes, String what) {
        if (bytes <= 0) {
            throw refused("%d bytes were to be %s; the size must be positive.", bytes, what);
        }
    }

    private void requireGranules(long address, long bytes, String what) {
        requirePositive(bytes, what);
        if (address % granularity != 0 || bytes % granularity != 0) {
            throw refused("%s at 0x%x was to be %s; address and size must be multiples of %s.", ByteSize.text(bytes),
                    address, what, ByteSize.text(granularity));
        }
    }

    private static DeviceException refused(String format, Object... args) {
        return new DeviceException(String.format(Locale.ROOT, format, args));
    }
}
