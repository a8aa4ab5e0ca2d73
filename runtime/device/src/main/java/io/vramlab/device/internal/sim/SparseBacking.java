package io.vramlab.device.internal.sim;

import io.vramlab.device.DeviceException;
import io.vramlab.device.Interruptible;
import io.vramlab.device.internal.model.Backing;
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

    /** Writing less is quicker than asking for pages. */
    private static final long LARGE = 8L << 20;
    /** Pages of 4 KiB, 16 KiB (Apple's) and 64 KiB all begin at its multiples. */
    private static final long LARGEST_PAGE = 64L << 10;

    // an automatic arena: pages outlive the device for as long as somebody holds a segment of them
    private final Arena arena = Arena.ofAuto();
    private final ConcurrentSkipListMap<Long, MemorySegment> windows = new ConcurrentSkipListMap<>();
    private final TouchedPages touched = new TouchedPages();
    private final HostCeiling ceiling;
    private final String device;
    private final long capacity;

    /**
     * Memory of a device.
     *
     * @param ceiling
     *            what the host lets all devices touch
     * @param device
     *            its name, for messages
     * @param capacity
     *            its bytes, for messages
     */
    SparseBacking(HostCeiling ceiling, String device, long capacity) {
        this.ceiling = ceiling;
        this.device = device;
        this.capacity = capacity;
    }

    @Override
    public boolean addWindow(long address, long bytes) {
        Optional<MemorySegment> pages = HostPages.reserve(bytes, arena);
        pages.ifPresent(p -> windows.put(address, p));
        return pages.isPresent();
    }

    @Override
    public void discard(long address, long bytes) {
        HostPages.discard(segment(address, bytes));
        if (ceiling.isLimited()) {
            synchronized (touched) {
                ceiling.give(touched.remove(address, bytes));
            }
        }
    }

    /**
     * The host's view of a range that lies in one window, for somebody who reads or writes there.
     *
     * @throws io.vramlab.device.HostMemoryException
     *             if the host gives no more pages
     */
    MemorySegment touch(long address, long bytes) {
        if (ceiling.isLimited()) {
            synchronized (touched) {
                long more = touched.untouched(address, bytes);
                if (more > 0) {
                    ceiling.take(more, device, capacity);
                    touched.add(address, bytes);
                }
            }
        }
        return segment(address, bytes);
    }

    /**
     * Makes a range that lies in one window zero. The whole pages of a large one are given back instead of written: they read as zero,
     * and take memory of the host again only where they are written.
     *
     * @throws io.vramlab.device.HostMemoryException
     *             if the host gives no more pages
     * @throws io.vramlab.device.InterruptedWorkException
     *             if the thread that asked for the work is interrupted, as of any large fill
     */
    void zero(long address, long bytes) {
        long from = (address + LARGEST_PAGE - 1) / LARGEST_PAGE * LARGEST_PAGE;
        long to = (address + bytes) / LARGEST_PAGE * LARGEST_PAGE;
        if (to - from < LARGE || !HostPages.canDiscard()) {
            Interruptible.fill(touch(address, bytes), (byte) 0);
            return;
        }
        Interruptible.check();
        discard(from, to - from);
        touch(address, from - address).fill((byte) 0);
        touch(to, address + bytes - to).fill((byte) 0);
    }

    private MemorySegment segment(long address, long bytes) {
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
        if (ceiling.isLimited()) {
            synchronized (touched) {
                ceiling.give(touched.clear());
            }
        }
    }
}
