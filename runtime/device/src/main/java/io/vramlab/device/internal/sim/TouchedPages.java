package io.vramlab.device.internal.sim;

import java.util.Map;
import java.util.TreeMap;

/** The pages of one device that the host has had to provide, as disjoint ranges of addresses. Not safe for use by several threads. */
final class TouchedPages {

    private static final long PAGE = 4096;

    private final TreeMap<Long, Long> endByStart = new TreeMap<>();

    /** The bytes of pages under a range that were not touched so far. */
    long untouched(long address, long bytes) {
        long from = address / PAGE * PAGE;
        long to = pageEnd(address + bytes);
        long missing = to - from;
        Map.Entry<Long, Long> each = endByStart.floorEntry(from);
        if (each == null || each.getValue() <= from) {
            each = endByStart.higherEntry(from);
        }
        while (each != null && each.getKey() < to) {
            missing -= Math.min(to, each.getValue()) - Math.max(from, each.getKey());
            each = endByStart.higherEntry(each.getKey());
        }
        return missing;
    }

    /** Adds the pages under a range. */
    void add(long address, long bytes) {
        long from = address / PAGE * PAGE;
        long to = pageEnd(address + bytes);
        Map.Entry<Long, Long> each = endByStart.floorEntry(to);
        while (each != null && each.getValue() >= from) {
            from = Math.min(from, each.getKey());
            to = Math.max(to, each.getValue());
            endByStart.remove(each.getKey());
            each = endByStart.floorEntry(to);
        }
        endByStart.put(from, to);
    }

    /**
     * Takes out the pages wholly inside a range.
     *
     * @return the bytes of those that were touched
     */
    long remove(long address, long bytes) {
        long from = pageEnd(address);
        long to = (address + bytes) / PAGE * PAGE;
        if (to <= from) {
            return 0;
        }
        long removed = 0;
        for (Map.Entry<Long, Long> each = endByStart.lowerEntry(to); each != null
                && each.getValue() > from; each = endByStart.lowerEntry(each.getKey())) {
            long start = each.getKey();
            long end = each.getValue();
            endByStart.remove(start);
            if (start < from) {
                endByStart.put(start, from);
            }
            if (end > to) {
                endByStart.put(to, end);
            }
            removed += Math.min(to, end) - Math.max(from, start);
        }
        return removed;
    }

    /**
     * Takes out all.
     *
     * @return their bytes
     */
    long clear() {
        long bytes = endByStart.entrySet().stream().mapToLong(each -> each.getValue() - each.getKey()).sum();
        endByStart.clear();
        return bytes;
    }

    private static long pageEnd(long address) {
        return (address + PAGE - 1) / PAGE * PAGE;
    }
}
