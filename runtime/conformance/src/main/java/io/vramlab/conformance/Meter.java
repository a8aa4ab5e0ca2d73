package io.vramlab.conformance;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;

/** Reads an allocator relative to a starting point. Bytes. */
final class Meter {

    private final Allocator allocator;
    private MemoryStats base;

    Meter(Device device) {
        allocator = Allocators.of(device);
        restart();
    }

    /** Makes now the starting point, for all figures and the peak. */
    void restart() {
        allocator.resetPeakMemoryStats();
        base = allocator.stats();
    }

    void resetPeak() {
        allocator.resetPeakMemoryStats();
    }

    /** Allocated, peak, requested, number of live allocations. */
    long[] read() {
        MemoryStats now = allocator.stats();
        return new long[]{now.allocatedBytes() - base.allocatedBytes(),
                now.peakAllocatedBytes() - base.allocatedBytes(),
                now.requestedBytes() - base.requestedBytes(), now.allocations() - base.allocations()};
    }

    void emptyCache() {
        allocator.emptyCache();
    }
}
