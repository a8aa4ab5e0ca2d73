package io.vramlab.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The 122 statistics of one allocator at one moment, under the keys of {@code torch.cuda.memory_stats()}: byte figures
 * in bytes, the rest counts.
 */
public final class MemoryStats {

    private static final String[] METRICS = {"allocation", "segment", "active", "inactive_split", "allocated_bytes",
            "reserved_bytes", "active_bytes", "inactive_split_bytes", "requested_bytes"};
    private static final String[] POOLS = {"all", "small_pool", "large_pool"};
    private static final String[] FIELDS = {"current", "peak", "allocated", "freed"};
    private static final String[] COUNTERS = {"num_alloc_retries", "num_ooms", "num_sync_all_streams",
            "num_device_alloc", "num_device_free", "max_split_size"};
    /** Position of each key in the values; the last, the maximum split size, lies beside them. */
    private static final Map<String, Integer> INDEX = index();

    private final long[] values;
    private final long maxSplitSize;

    MemoryStats(final long[] values, final long maxSplitSize) {
        this.values = values.clone();
        this.maxSplitSize = maxSplitSize;
    }

    /** {@return statistics of a device that nothing was allocated on} */
    public static MemoryStats none() {
        return new MemoryStats(new long[StatCounters.COUNT], -1);
    }

    /** {@return bytes of blocks handed out now} */
    public long allocatedBytes() {
        return values[StatCounters.ALLOCATED_BYTES];
    }

    /** {@return the most bytes of blocks handed out at once since the last reset of peaks} */
    public long peakAllocatedBytes() {
        return values[StatCounters.ALLOCATED_BYTES + 1];
    }

    /** {@return bytes obtained from the driver and not given back} */
    public long reservedBytes() {
        return values[StatCounters.RESERVED_BYTES];
    }

    /** {@return the most bytes held from the driver at once since the last reset of peaks} */
    public long peakReservedBytes() {
        return values[StatCounters.RESERVED_BYTES + 1];
    }

    /** {@return bytes of blocks handed out or waiting for events} */
    public long activeBytes() {
        return values[StatCounters.ACTIVE_BYTES];
    }

    /** {@return bytes that the active blocks' owners asked for, unrounded} */
    public long requestedBytes() {
        return values[StatCounters.REQUESTED_BYTES];
    }

    /** {@return blocks handed out now} */
    public long allocations() {
        return values[StatCounters.ALLOCATION];
    }

    /**
     * {@return one statistic: bytes or a count, by its key}
     *
     * @param key
     *            for instance {@code allocated_bytes.all.peak}
     * @throws IllegalArgumentException
     *             if there is no such key
     */
    public long get(final String key) {
        final Integer index = INDEX.get(key);
        if (index == null) {
            throw new IllegalArgumentException("No statistic is called " + key
                    + ". There are 122, named as torch.cuda.memory_stats() names them, for instance allocated_bytes.all.peak.");
        }
        return value(index);
    }

    /** {@return all 122, sorted as PyTorch sorts them} */
    public SortedMap<String, Long> asMap() {
        final SortedMap<String, Long> map = new TreeMap<>();
        INDEX.forEach((key, index) -> map.put(key, value(index)));
        return Collections.unmodifiableSortedMap(map);
    }

    private long value(final int index) {
        return index == StatCounters.COUNT ? maxSplitSize : values[index];
    }

    private static Map<String, Integer> index() {
        final List<String> keys = new ArrayList<>();
        for (final String metric : METRICS) {
            for (final String pool : POOLS) {
                addFields(keys, metric + "." + pool);
            }
        }
        addFields(keys, "oversize_allocations");
        addFields(keys, "oversize_segments");
        keys.addAll(List.of(COUNTERS));
        final Map<String, Integer> index = new HashMap<>();
        keys.forEach(key -> index.put(key, index.size()));
        return index;
    }

    private static void addFields(final List<String> keys, final String name) {
        for (final String field : FIELDS) {
            keys.add(name + "." + field);
        }
    }
}
