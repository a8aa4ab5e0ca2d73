package io.vramlab.device.internal.model;

import io.vramlab.device.ByteSize;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceMemory;
import io.vramlab.device.DriverStep;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The accounts of a device's memory: what is allocated, what is reserved and mapped, and how much is left. Sizes are
 * counted in units of 512 bytes. Capacity alone decides whether a request fits: as on a real GPU, whose pages need not lie
 * side by side, free memory does not fragment down here. Safe for use by several threads.
 */
public final class ModelMemory implements DeviceMemory {

    private static final long UNIT = 512;

    private final String device;
    private final long totalBytes;
    private final AddressSpace space;
    private final Backing backing;
    private final Map<Long, Long> allocations = new HashMap<>();
    private final Map<Long, Long> reservations = new HashMap<>();
    private final IntervalSet reserved = new IntervalSet();
    private final IntervalSet mapped = new IntervalSet();
    private final IntervalSet accessible = new IntervalSet();
    /** Never changed but replaced, so that whoever launches need not wait. */
    private volatile Set<DriverStep> stepped = EnumSet.noneOf(DriverStep.class);
    private long usedBytes;
    private long outsideBytes;

    /**
     * Memory of which nothing is used.
     *
     * @param device
     *            what errors call it
     * @param top
     *            the address above the highest, a multiple of 32 MiB
     */
    public ModelMemory(String device, long totalBytes, long top, Backing backing) {
        this.device = device;
        this.totalBytes = totalBytes;
        this.backing = backing;
        // a window several times the capacity: holes between regions then never force a second one in ordinary use
        this.space = new AddressSpace(top, Math.max(4 * totalBytes, 1L << 30), backing);
        space.takeContext();
    }

    @Override
    public synchronized long allocate(long bytes) {
        requirePositive(bytes, "allocated");
        long size = roundUp(bytes, UNIT);
        if (!hasRoomFor(bytes)) {
            return OUT_OF_MEMORY;
        }
        long address = space.take(size);
        if (address != 0) {
            allocations.put(address, size);
            accessible.add(address, size);
            usedBytes += size;
        }
        return address;
    }

    /** Whether the device's capacity allows an allocation of so many bytes, whatever the host says. */
    public synchronized boolean hasRoomFor(long bytes) {
        long size = roundUp(bytes, UNIT);
        return size >= 0 && size <= freeBytes();
    }

    @Override
    public synchronized void free(long address) {
        Long size = allocations.remove(address);
        if (size == null) {
            throw refused("Address 0x%x was to be freed on %s; no allocation starts there. "
                    + "Free exactly what was allocated, once.", address, device);
        }
        accessible.remove(address, size);
        usedBytes -= size;
        backing.discard(address, size);
        space.give(address, size);
    }

    /** The driver takes addresses for itself, for good, the first time that it is told; they are no part of the capacity. */
    public void step(DriverStep step) {
        if (!stepped.contains(step)) {
            stepOnce(step);
        }
    }

    private synchronized void stepOnce(DriverStep step) {
        if (stepped.contains(step)) {
            return;
        }
        if (step == DriverStep.STACK) {
            space.giveLocalMemory();
        }
        for (long bytes : step.taken()) {
            space.take(bytes);
        }
        Set<DriverStep> with = EnumSet.copyOf(List.of(step));
        with.addAll(stepped);
        stepped = with;
    }

    @Override
    public long granularity() {
        return AddressSpace.PAGE;
    }

    @Override
    public synchronized long reserve(long bytes) {
        requireGranules(bytes, bytes, "reserved");
        long address = space.takeAlone(roundUp(bytes, AddressSpace.REGION));
        if (address != 0) {
            reservations.put(address, bytes);
            reserved.add(address, bytes);
        }
        return address;
    }

    @Override
    public synchronized boolean map(long address, long bytes) {
        requireGranules(address, bytes, "mapped");
        if (!reserved.contains(address, bytes) || mapped.intersects(address, bytes)) {
            throw refused("%s at 0x%x was to be mapped on %s; the range is not wholly reserved and unmapped. "
                    + "Reserve it first, and unmap what is there.", ByteSize.text(bytes), address, device);
        }
        if (bytes > freeBytes()) {
            return false;
        }
        mapped.add(address, bytes);
        accessible.add(address, bytes);
        usedBytes += bytes;
        return true;
    }

    @Override
    public synchronized void unmap(long address, long bytes) {
        requireGranules(address, bytes, "unmapped");
        if (!mapped.contains(address, bytes)) {
            throw refused("%s at 0x%x was to be unmapped on %s; not all of it is mapped. Unmap what was mapped, once.",
                    ByteSize.text(bytes), address, device);
        }
        mapped.remove(address, bytes);
        accessible.remove(address, bytes);
        usedBytes -= bytes;
        backing.discard(address, bytes);
    }

    @Override
    public synchronized void release(long address, long bytes) {
        Long size = reservations.get(address);
        if (size == null || size != bytes || mapped.intersects(address, bytes)) {
            throw refused("The reservation of %s at 0x%x was to be released on %s; "
                    + "there is none of that size, or something is still mapped in it. Unmap all of it first.",
                    ByteSize.text(bytes), address, device);
        }
        reservations.remove(address);
        reserved.remove(address, bytes);
        space.give(address, roundUp(bytes, AddressSpace.REGION));
    }

    @Override
    public synchronized long freeBytes() {
        return Math.max(0, totalBytes - outsideBytes - usedBytes);
    }

    @Override
    public long totalBytes() {
        return totalBytes;
    }

    /** True if the whole range is allocated or mapped. */
    public synchronized boolean isAccessible(long address, long bytes) {
        return accessible.contains(address, bytes);
    }

    /** Sets how many bytes of the capacity are not ours to allocate. */
    public synchronized void setOutsideBytes(long bytes) {
        if (bytes < 0) {
            throw refused("%s outside the allocator was asked for on %s; it cannot be negative. Use 0 for none.",
                    ByteSize.text(bytes), device);
        }
        outsideBytes = bytes;
    }

    /** How many bytes of the capacity are not ours to allocate. */
    public synchronized long outsideBytes() {
        return outsideBytes;
    }

    private void requirePositive(long bytes, String what) {
        if (bytes <= 0) {
            throw refused("%d bytes were to be %s on %s; the size must be positive.", bytes, what, device);
        }
    }

    private void requireGranules(long address, long bytes, String what) {
        requirePositive(bytes, what);
        if (address % AddressSpace.PAGE != 0 || bytes % AddressSpace.PAGE != 0) {
            throw refused("%s at 0x%x was to be %s on %s; address and size must be multiples of %s.",
                    ByteSize.text(bytes), address, what, device, ByteSize.text(AddressSpace.PAGE));
        }
    }

    private static DeviceException refused(String format, Object... args) {
        return new DeviceException(String.format(Locale.ROOT, format, args));
    }

    private static long roundUp(long n, long step) {
        return (n + step - 1) / step * step;
    }
}
