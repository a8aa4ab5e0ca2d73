package io.vramlab.memory;

import io.vramlab.device.Device;
import java.util.Map;
import java.util.WeakHashMap;

/** Each device's allocator, made at its first use. */
public final class Allocators {

    private static final Map<Device, Allocator> ALLOCATORS = new WeakHashMap<>();

    private Allocators() {
    }

    /**
     * The allocator of a device: caching on GPUs, real, simulated or shapes-only; uncached on the CPU, and everywhere
     * under {@code PYTORCH_NO_CUDA_MEMORY_CACHING=1}.
     */
    public static Allocator of(final Device device) {
        synchronized (ALLOCATORS) {
            return ALLOCATORS.computeIfAbsent(device, Allocators::create);
        }
    }

    private static Allocator create(final Device device) {
        final StreamEvents events = StreamEvents.of(device.driver());
        if (!device.isCuda() || cachingIsOff()) {
            return new UncachedAllocator(device.index(), device.driver(), events);
        }
        return new CachingAllocator(device.index(), device.driver(), events);
    }

    private static boolean cachingIsOff() {
        return "1".equals(System.getenv("PYTORCH_NO_CUDA_MEMORY_CACHING"));
    }
}
