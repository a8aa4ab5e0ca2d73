package io.vramlab.device.internal.model;

import io.vramlab.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ordinary host memory that plays the part of page-locked memory, and the answer to whether a segment lies in it. Safe for
 * use by several threads.
 */
public final class PinnedBuffers implements AutoCloseable {

    private record Buffer(Arena arena, long bytes) {
    }

    private final TreeMap<Long, Buffer> buffers = new TreeMap<>();

    /** A zeroed buffer, aligned to a page. */
    public synchronized MemorySegment allocate(long bytes) {
        Arena arena = Arena.ofShared();
        MemorySegment s = arena.allocate(bytes, 4096);
        buffers.put(s.address(), new Buffer(arena, bytes));
        return s;
    }

    /** Frees what {@link #allocate} returned. */
    public synchronized void free(MemorySegment pinned) {
        Buffer b = buffers.remove(pinned.address());
        if (b == null) {
            throw new DeviceException("Pinned memory at 0x" + Long.toHexString(pinned.address())
                    + " was to be freed; none starts there. Free exactly what was allocated, once.");
        }
        b.arena().close();
    }

    /** True if the segment lies in pinned memory. */
    public synchronized boolean contains(MemorySegment segment) {
        if (!segment.isNative()) {
            return false;
        }
        Map.Entry<Long, Buffer> e = buffers.floorEntry(segment.address());
        return e != null && segment.address() + segment.byteSize() <= e.getKey() + e.getValue().bytes();
    }

    /** Frees all of it. */
    @Override
    public synchronized void close() {
        buffers.values().forEach(b -> b.arena().close());
        buffers.clear();
    }
}
