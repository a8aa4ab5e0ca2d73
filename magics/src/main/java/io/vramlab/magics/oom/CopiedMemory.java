package io.vramlab.magics.oom;

import io.vramlab.device.DeviceMemory;
import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ModelMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Memory of which nothing exists but the accounts; its first segments lie at addresses that are told. */
final class CopiedMemory implements DeviceMemory {

    private static final long TOP_ADDRESS = 0x7e40_0000_0000L;

    private final ModelMemory model;
    private final Deque<Long> told = new ArrayDeque<>();
    private final Map<Long, Long> aliases = new HashMap<>();

    CopiedMemory(long capacity) {
        model = new ModelMemory("the rehearsal's device", capacity, TOP_ADDRESS, Backing.NONE);
    }

    /** The next segment lies there. */
    void next(long address) {
        told.add(address);
    }

    @Override
    public long allocate(long bytes) {
        long address = model.allocate(bytes);
        if (address == OUT_OF_MEMORY || told.isEmpty()) {
            return address;
        }
        long shown = told.poll();
        aliases.put(shown, address);
        return shown;
    }

    @Override
    public void free(long address) {
        Long behind = aliases.remove(address);
        model.free(behind == null ? address : behind);
    }

    @Override
    public long granularity() {
        return model.granularity();
    }

    @Override
    public long reserve(long bytes) {
        return model.reserve(bytes);
    }

    @Override
    public boolean map(long address, long bytes) {
        return model.map(address, bytes);
    }

    @Override
    public void unmap(long address, long bytes) {
        model.unmap(address, bytes);
    }

    @Override
    public void release(long address, long bytes) {
        model.release(address, bytes);
    }

    @Override
    public long freeBytes() {
        return model.freeBytes();
    }

    @Override
    public long totalBytes() {
        return model.totalBytes();
    }
}
