package io.vramlab.device.internal.model;

import java.util.Map;
import java.util.TreeMap;

/** A set of addresses kept as disjoint ranges, neighbours merged. Not safe for use by several threads. */
public final class IntervalSet {

    private final TreeMap<Long, Long> endByStart = new TreeMap<>();

    /** Adds a range that shares no address with the set. */
    public void add(long start, long bytes) {
        long from = start;
        long to = start + bytes;
        Map.Entry<Long, Long> before = endByStart.floorEntry(from);
        if (before != null && before.getValue() == from) {
            from = before.getKey();
        }
        Long after = endByStart.remove(to);
        if (after != null) {
            to = after;
        }
        endByStart.put(from, to);
    }

    /** Takes out a range that lies wholly in the set. */
    public void remove(long start, long bytes) {
        Map.Entry<Long, Long> e = endByStart.floorEntry(start);
        long from = e.getKey();
        long to = e.getValue();
        long end = start + bytes;
        if (from < start) {
            endByStart.put(from, start);
        } else {
            endByStart.remove(from);
        }
        if (end < to) {
            endByStart.put(end, to);
        }
    }

    /** True if every address of the range is in the set. */
    public boolean contains(long start, long bytes) {
        Map.Entry<Long, Long> e = endByStart.floorEntry(start);
        return e != null && start + bytes <= e.getValue() && start + bytes >= start;
    }

    /** True if any address of the range is in the set. */
    public boolean intersects(long start, long bytes) {
        Map.Entry<Long, Long> e = endByStart.lowerEntry(start + bytes);
        return e != null && e.getValue() > start;
    }

    /** The lowest start, aligned, at which the set has so many bytes in one piece; -1 if there is none. */
    public long firstFit(long bytes, long alignment) {
        for (Map.Entry<Long, Long> e : endByStart.entrySet()) {
            long start = (e.getKey() + alignment - 1) / alignment * alignment;
            if (e.getValue() - start >= bytes) {
                return start;
            }
        }
        return -1;
    }

    /** The highest start at which the set has so many bytes in one piece; -1 if there is none. */
    public long lastFit(long bytes) {
        for (Map.Entry<Long, Long> e : endByStart.descendingMap().entrySet()) {
            if (e.getValue() - e.getKey() >= bytes) {
                return e.getValue() - bytes;
            }
        }
        return -1;
    }

    /** The number of bytes in the set. */
    public long bytes() {
        long n = 0;
        for (Map.Entry<Long, Long> e : endByStart.entrySet()) {
            n += e.getValue() - e.getKey();
        }
        return n;
    }

    /** True if nothing is in the set. */
    public boolean isEmpty() {
        return endByStart.isEmpty();
    }
}
