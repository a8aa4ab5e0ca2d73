package io.vramlab.device.internal.cpu.kernels;

import io.vramlab.device.AttentionSteps;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.HostAccess;
import java.lang.foreign.MemorySegment;

/**
 * A device's memory and, besides, an array of this kernel's own at addresses that no device has: what a kernel that
 * consists of others keeps between them.
 */
final class WorkingMemory implements HostAccess, AttentionSteps.Memory {

    private static final long FIRST = Long.MIN_VALUE;

    private final HostAccess host;
    private MemorySegment own = MemorySegment.ofArray(new float[0]);

    WorkingMemory(HostAccess host) {
        this.host = host;
    }

    @Override
    public long of(long bytes) {
        own = MemorySegment.ofArray(new float[Math.toIntExact((bytes + Float.BYTES - 1) / Float.BYTES)]);
        return FIRST;
    }

    @Override
    public MemorySegment at(long address, long bytes) {
        return address < 0 ? own.asSlice(address - FIRST, bytes) : host.at(address, bytes);
    }

    @Override
    public void fault(DeviceFault fault, String detail) {
        host.fault(fault, detail);
    }
}
