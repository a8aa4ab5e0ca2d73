package io.vramlab.magics.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the allocator held at one moment; bytes, but for the last two, which are counts.
 *
 * @param label
 *            the moment's name
 */
public record Mark(String label, long allocated, long peak, long reserved, long requested, long active,
        long inactiveSplit, long allocations, long segments) {

    private static final List<String> KEYS = List.of("allocated_bytes.all.current", "allocated_bytes.all.peak",
            "reserved_bytes.all.current", "requested_bytes.all.current", "active_bytes.all.current",
            "inactive_split_bytes.all.current", "allocation.all.current", "segment.all.current");

    static Mark of(String label, Map<String, Long> stats) {
        return of(label, KEYS.stream().mapToLong(stats::get).toArray());
    }

    /** The names of the figures in which another mark differs; empty when all eight are equal. */
    List<String> differences(Mark other) {
        List<String> names = new ArrayList<>();
        compare(names, "allocated", allocated, other.allocated);
        compare(names, "peak", peak, other.peak);
        compare(names, "reserved", reserved, other.reserved);
        compare(names, "requested", requested, other.requested);
        compare(names, "active", active, other.active);
        compare(names, "inactive split", inactiveSplit, other.inactiveSplit);
        compare(names, "allocations", allocations, other.allocations);
        compare(names, "segments", segments, other.segments);
        return names;
    }

    private static void compare(List<String> names, String name, long mine, long other) {
        if (mine != other) {
            names.add(name);
        }
    }

    static Mark of(String label, long[] figures) {
        return new Mark(label, figures[0], figures[1], figures[2], figures[3], figures[4], figures[5], figures[6],
                figures[7]);
    }
}
