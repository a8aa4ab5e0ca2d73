package io.vramlab.conformance.trace;

import io.vramlab.device.DeviceMemory;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A device's own memory under a recording's addresses: everything is really taken from the device and given back to it,
 * and the allocator sees the addresses that PyTorch's saw, because ties between equal blocks go to the lower one.
 */
final class DrivenMemory implements DeviceMemory {

    private final DeviceMemory device;
    private final RecordedMemory recorded;
    private final Map<Long, Long> segments = new HashMap<>();
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    DrivenMemory(final DeviceMemory device, final RecordedMemory recorded) {
        this.device = device;
        this.recorded = recorded;
    }

    @Override
    public long allocate(final long bytes) {
        final long real = device.allocate(bytes);
        if (real == OUT_OF_MEMORY) {
            return OUT_OF_MEMORY;
        }
        final long address = recorded.allocate(bytes);
        if (address == OUT_OF_MEMORY) {
            device.free(real);
        } else {
            segments.put(address, real);
        }
        return address;
    }

    @Override
    public void free(final long address) {
        device.free(segments.remove(address));
        recorded.free(address);
    }

    @Override
    public long granularity() {
        return device.granularity();
    }

    @Override
    public long reserve(final long bytes) {
        final long real = device.reserve(bytes);
        if (real == OUT_OF_MEMORY) {
            return OUT_OF_MEMORY;
        }
        final long address = recorded.reserve(bytes);
        if (address == OUT_OF_MEMORY) {
            device.release(real, bytes);
        } else {
            ranges.put(address, real);
        }
        return address;
    }

    @Override
    public boolean map(final long address, final long bytes) {
        if (!device.map(real(address), bytes)) {
            return false;
        }
        if (!recorded.map(address, bytes)) {
            device.unmap(real(address), bytes);
            return false;
        }
        return true;
    }

    @Override
    public void unmap(final long address, final long bytes) {
        device.unmap(real(address), bytes);
        recorded.unmap(address, bytes);
    }

    @Override
    public void release(final long address, final long bytes) {
        device.release(ranges.remove(address), bytes);
        recorded.release(address, bytes);
    }

    @Override
    public long freeBytes() {
        return device.freeBytes();
    }

    @Override
    public long totalBytes() {
        return recorded.totalBytes();
    }

    private long real(final long address) {
        final Map.Entry<Long, Long> range = ranges.floorEntry(address);
        return range.getValue() + (address - range.getKey());
    }
}
