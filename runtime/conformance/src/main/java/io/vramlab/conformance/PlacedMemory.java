package io.vramlab.conformance;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.internal.dry.DryDriver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A shapes-only GPU that can be told where its next allocations go: where a real driver puts memory depends on all that
 * the process did before, and between two free blocks of one size PyTorch's allocator takes the one at the lower address.
 */
final class PlacedMemory extends DryDriver {

    /** One allocation of a recorded run. Bytes. */
    record Placement(long address, long bytes) {
    }

    private final Deque<Placement> next = new ArrayDeque<>();
    private final Map<Long, Long> placed = new HashMap<>();
    private long bytes;

    private PlacedMemory(DeviceProperties properties) {
        super(properties);
    }

    /** Adds such a GPU with a profile's figures; its driver is a {@link PlacedMemory}. */
    static Device device(String profile) {
        DeviceProperties properties = DeviceProfile.of(profile);
        return Device.add(Device.Kind.SHAPES_ONLY, () -> new PlacedMemory(properties));
    }

    /**
     * Gives the next allocations those addresses, in order. A request of another size than the next one's ends that: from
     * then on the device chooses. What was placed before stays where it is until it is freed.
     */
    synchronized void follow(List<Placement> placements) {
        next.clear();
        next.addAll(placements);
    }

    @Override
    public synchronized long allocate(long size) {
        if (size > freeBytes()) {
            return OUT_OF_MEMORY;
        }
        Placement told = next.peek();
        if (told == null || told.bytes() != size || placed.containsKey(told.address())) {
            next.clear();
            return super.allocate(size);
        }
        next.remove();
        placed.put(told.address(), size);
        bytes += size;
        return told.address();
    }

    @Override
    public synchronized void free(long address) {
        Long size = placed.remove(address);
        if (size == null) {
            super.free(address);
        } else {
            bytes -= size;
        }
    }

    @Override
    public synchronized long freeBytes() {
        return Math.max(0, super.freeBytes() - bytes);
    }
}
