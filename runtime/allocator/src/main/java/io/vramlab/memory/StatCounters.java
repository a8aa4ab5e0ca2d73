package io.vramlab.memory;

/**
 * The allocator's counters, as one array: nine metrics for all, small and large pool with current, peak, allocated and
 * freed each, two oversize metrics, and five plain counts: docs/allocator.md, "Statistics".
 */
final class StatCounters {

    static final int ALLOCATION = 0;
    static final int SEGMENT = 12;
    static final int ACTIVE = 24;
    static final int INACTIVE_SPLIT = 36;
    static final int ALLOCATED_BYTES = 48;
    static final int RESERVED_BYTES = 60;
    static final int ACTIVE_BYTES = 72;
    static final int INACTIVE_SPLIT_BYTES = 84;
    static final int REQUESTED_BYTES = 96;
    static final int OVERSIZE_ALLOCATIONS = 108;
    static final int OVERSIZE_SEGMENTS = 112;
    static final int ALLOC_RETRIES = 116;
    static final int OOMS = 117;
    static final int SYNC_ALL_STREAMS = 118;
    static final int DEVICE_ALLOC = 119;
    static final int DEVICE_FREE = 120;
    static final int COUNT = 121;

    private static final int SMALL = 4;
    private static final int LARGE = 8;

    final long[] values = new long[COUNT];

    void increase(final int metric, final boolean small, final long amount) {
        add(metric, amount);
        add(metric + (small ? SMALL : LARGE), amount);
    }

    void decrease(final int metric, final boolean small, final long amount) {
        subtract(metric, amount);
        subtract(metric + (small ? SMALL : LARGE), amount);
    }

    /** Increases by a positive net amount, decreases by a negative one's size. */
    void change(final int metric, final boolean small, final long net) {
        if (net > 0) {
            increase(metric, small, net);
        } else if (net < 0) {
            decrease(metric, small, -net);
        }
    }

    void add(final int stat, final long amount) {
        final long[] v = values;
        final long current = v[stat] + amount;
        v[stat] = current;
        if (current > v[stat + 1]) {
            v[stat + 1] = current;
        }
        v[stat + 2] += amount;
    }

    void subtract(final int stat, final long amount) {
        values[stat] -= amount;
        values[stat + 3] += amount;
    }

    void count(final int counter) {
        values[counter]++;
    }

    long current(final int metric) {
        return values[metric];
    }

    void resetPeaks() {
        for (int i = 0; i < ALLOC_RETRIES; i += 4) {
            values[i + 1] = values[i];
        }
    }

    void resetAccumulated() {
        for (int i = 0; i < ALLOC_RETRIES; i += 4) {
            values[i + 2] = 0;
            values[i + 3] = 0;
        }
        for (int i = ALLOC_RETRIES; i < COUNT; i++) {
            values[i] = 0;
        }
    }
}
