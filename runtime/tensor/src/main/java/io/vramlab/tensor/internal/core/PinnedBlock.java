package io.vramlab.tensor.internal.core;

import io.vramlab.device.Device;
import io.vramlab.device.HostAdoption;
import io.vramlab.memory.PinnedMemory;
import java.lang.foreign.MemorySegment;

/** Page-locked host memory of one storage: from a GPU's cache of it, used as the CPU's. */
public final class PinnedBlock {

    private final PinnedMemory cache;
    private final MemorySegment memory;

    PinnedBlock(Device gpu, long bytes) {
        cache = PinnedMemory.of(gpu);
        memory = cache.allocate(bytes);
        cpu().adopt(memory);
    }

    private static HostAdoption cpu() {
        return (HostAdoption) Device.cpu().driver();
    }

    long address() {
        return memory.address();
    }

    /** A copy that nobody waits for uses it on that stream. */
    void usedOn(long stream) {
        cache.recordStream(memory, stream);
    }

    void free() {
        cpu().disown(memory);
        cache.free(memory);
    }
}
