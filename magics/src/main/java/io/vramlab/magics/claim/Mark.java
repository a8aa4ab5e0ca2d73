package io.vramlab.magics.claim;

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

    static Mark of(String label, long[] figures) {
        return new Mark(label, figures[0], figures[1], figures[2], figures[3], figures[4], figures[5], figures[6],
                figures[7]);
    }
}
