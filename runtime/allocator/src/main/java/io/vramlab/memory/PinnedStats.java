package io.vramlab.memory;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The statistics of pinned host memory, under the keys of {@code torch.cuda.host_memory_stats()}. Where PyTorch 2.11
 * counts wrongly (docs/allocator.md, "Pinned host memory": active requests that never fall, active bytes that fall by
 * -1) these are the true values.
 */
final class PinnedStats {

    /** One figure over time. */
    static final class Stat {

        private long current;
        private long peak;
        private long allocated;
        private long freed;

        void increase(final long amount) {
            current += amount;
            allocated += amount;
            peak = Math.max(peak, current);
        }

        void decrease(final long amount) {
            current -= amount;
            freed += amount;
        }

        private void put(final SortedMap<String, Long> map, final String name) {
            map.put(name + ".current", current);
            map.put(name + ".peak", peak);
            map.put(name + ".allocated", allocated);
            map.put(name + ".freed", freed);
        }
    }

    /** Durations of driver calls in microseconds. */
    static final class Duration {

        private long count;
        private long total;
        private long max;
        private long min;

        void add(final long micros) {
            min = count == 0 ? micros : Math.min(min, micros);
            max = Math.max(max, micros);
            total += micros;
            count++;
        }

        private void put(final SortedMap<String, Long> map, final String name) {
            map.put(name + ".count", count);
            map.put(name + ".total", total);
            map.put(name + ".max", max);
            map.put(name + ".min", min);
            map.put(name + ".avg", count == 0 ? 0 : total / count);
        }
    }

    /** Blocks obtained from the driver, and their bytes. */
    final Stat allocations = new Stat();
    final Stat allocatedBytes = new Stat();
    /** Blocks in use, and their bytes. */
    final Stat activeRequests = new Stat();
    final Stat activeBytes = new Stat();
    final Duration allocTime = new Duration();
    final Duration freeTime = new Duration();

    SortedMap<String, Long> asMap() {
        final SortedMap<String, Long> map = new TreeMap<>();
        allocations.put(map, "allocations");
        allocatedBytes.put(map, "allocated_bytes");
        activeRequests.put(map, "active_requests");
        activeBytes.put(map, "active_bytes");
        allocTime.put(map, "host_alloc_time");
        freeTime.put(map, "host_free_time");
        map.put("num_host_alloc", allocations.allocated);
        map.put("num_host_free", allocations.freed);
        return map;
    }
}
