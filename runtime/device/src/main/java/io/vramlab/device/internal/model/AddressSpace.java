package io.vramlab.device.internal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses device addresses as NVIDIA's Linux driver was seen to do in the recorded PyTorch runs (H200, driver 580):
 *
 * <ol>
 * <li>The space is handed out in <i>regions</i>, multiples of 32 MiB, from the top down: a new region goes to the end of
 * the highest hole that has room for it and 32 MiB more (the driver asks the system for so much and trims it to be
 * aligned).</li>
 * <li>An allocation goes into the most recently made region that has room for it, at the lowest fitting address there;
 * only if none has, a new region is made, and it starts at the region's start.</li>
 * <li>A region that becomes empty is dissolved.</li>
 * <li>The context itself holds 8 MiB at the start of one region, 64 MiB, and, last, 414 MiB at the start of a third region; the rests of
 * 24 and 2 MiB are used like any. The 414 MiB go with the first kernel whose threads want more local memory, which is taken
 * elsewhere: from then on there is a hole that segments fill from below.</li>
 * </ol>
 *
 * <p>
 * Rule 2 explains 1,226 of the 1,236 placements into existing regions in the recorded traces, rule 1 1,055 of the 1,092
 * whose hole is known (the system's other mappings are not). The context's three regions were found in each of 120 histories of an H100.
 *
 * <p>
 * The order of addresses matters: where two free blocks of the allocator have one size, PyTorch takes the lower. The same
 * requests always give the same addresses. Not safe for use by several threads.
 */
public final class AddressSpace {

    /** Regions are multiples of this. */
    public static final long REGION = 32L << 20;
    /** The driver's large pages: what is at least half of one starts on one. */
    public static final long PAGE = 2L << 20;
    private static final long SMALL_ALIGNMENT = 512;
    private static final long MIB = 1L << 20;
    private static final long LOCAL_MEMORY = 414 * MIB;

    private final Backing backing;
    private final long windowBytes;
    private long windowEnd;
    private final IntervalSet free = new IntervalSet();
    private final List<Region> regions = new ArrayList<>();
    private final TreeMap<Long, Region> byAddress = new TreeMap<>();
    private long localMemory;

    private record Region(long address, long bytes, IntervalSet holes) {
    }

    /**
     * An empty space.
     *
     * @param top
     *            the address just above the highest, a multiple of {@link #REGION}
     * @param windowBytes
     *            in what steps the backing is asked for addresses
     */
    public AddressSpace(long top, long windowBytes, Backing backing) {
        this.windowEnd = top;
        this.windowBytes = roundUp(windowBytes, REGION);
        this.backing = backing;
    }

    /** Takes the addresses that a CUDA context holds; {@link #giveLocalMemory} gives back what goes later. */
    public void takeContext() {
        takeAlone(8 * MIB);
        takeAlone(64 * MIB);
        localMemory = takeAlone(LOCAL_MEMORY);
    }

    /** What the context held for its threads goes, as it does once a kernel wants more; later calls change nothing. */
    public void giveLocalMemory() {
        if (localMemory != 0) {
            give(localMemory, LOCAL_MEMORY);
            localMemory = 0;
        }
    }

    /**
     * Takes addresses for an allocation.
     *
     * @return the first, or 0 if the space is exhausted
     */
    public long take(long bytes) {
        long alignment = bytes >= PAGE / 2 ? PAGE : SMALL_ALIGNMENT;
        for (int i = regions.size() - 1; i >= 0; i--) {
            long start = regions.get(i).holes().firstFit(bytes, alignment);
            if (start >= 0) {
                regions.get(i).holes().remove(start, bytes);
                return start;
            }
        }
        return takeAlone(bytes);
    }

    /** Takes addresses in a region of their own. */
    public long takeAlone(long bytes) {
        long size = roundUp(bytes, REGION);
        long hole = free.lastFit(size + REGION);
        if (hole < 0) {
            if (!grow(size + REGION)) {
                return 0;
            }
            hole = free.lastFit(size + REGION);
        }
        long start = hole + REGION;
        free.remove(start, size);
        Region r = new Region(start, size, new IntervalSet());
        if (size > bytes) {
            r.holes().add(start + bytes, size - bytes);
        }
        regions.add(r);
        byAddress.put(start, r);
        return start;
    }

    /** Gives addresses back that {@link #take} or {@link #takeAlone} returned. */
    public void give(long address, long bytes) {
        Region r = byAddress.floorEntry(address).getValue();
        r.holes().add(address, bytes);
        if (r.holes().contains(r.address(), r.bytes())) {
            regions.remove(r);
            byAddress.remove(r.address());
            free.add(r.address(), r.bytes());
        }
    }

    /** A further window below the others; a region is left out between them, so that nothing spans two. */
    private boolean grow(long atLeast) {
        for (long size : new long[]{Math.max(windowBytes, atLeast), atLeast}) {
            if (backing.addWindow(windowEnd - size, size)) {
                free.add(windowEnd - size, size);
                windowEnd -= size + REGION;
                return true;
            }
        }
        return false;
    }

    /** Regions by address, for pictures and tests: start and size in bytes. */
    public Map<Long, Long> regions() {
        Map<Long, Long> all = new TreeMap<>();
        byAddress.forEach((address, r) -> all.put(address, r.bytes()));
        return all;
    }

    private static long roundUp(long n, long step) {
        return (n + step - 1) / step * step;
    }
}
