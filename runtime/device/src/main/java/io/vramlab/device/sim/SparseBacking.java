package io.vramlab.device.sim;

import io.vramlab.device.DeviceException;
import io.vramlab.device.model.Backing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Device memory held in host pages, window by window. A range that was freed stays mapped and reads as zero, so that a
 * stale use of it can never end the process.
 */
final class SparseBacking implements Backing, AutoCloseable {

    // an automatic arena: pages outlive the device for as long as somebody holds a segment of them
    private final Arena arena = Arena.ofAuto();
    private final ConcurrentSkipListMap<Long, MemorySegment> windows = new ConcurrentSkipListMap<>();

    @Override
    public boolean addWindow(long address, long bytes) {
        Optional<MemorySegment> pages = HostPages.reserve(bytes, arena);
        pages.ifPresent(p -> windows.put(address, p));
        return pages.isPresent();
    }

    @Override
    public void discard(long address, long bytes) {
        HostPages.discard(segment(address, bytes));
    }

    /** The host's view of a range that lies in one window. */
    MemorySegment segment(long address, long bytes) {
        Map.Entry<Long, MemorySegment> w = windows.floorEntry(address);
        if (w == null) {
            throw new DeviceException("Memory at 0x" + Long.toHexString(address)
                    + " of a simulated GPU was used; the device is closed. Use a device that is open.");
        }
        return w.getValue().asSlice(address - w.getKey(), bytes);
    }

    /** Gives the pages back at once; the addresses go when nobody holds a segment of them. */
    @Override
    public void close() {
        windows.values().forEach(HostPages::discard);
        windows.clear();
    }
}
