package io.vramlab.memory.internal.bench;

import io.vramlab.memory.Allocator;

/** The loops of performance.py, one for one. */
public final class AllocatorLoops {

    private static final long SEED = 88172645463325252L;

    private AllocatorLoops() {
    }

    /** Allocates and frees {@code n} times; returns the last address. */
    public static long pairs(final Allocator allocator, final int n, final long bytes) {
        long address = 0;
        for (int i = 0; i < n; i++) {
            address = allocator.allocate(bytes, 0);
            allocator.free(address);
        }
        return address;
    }

    /**
     * Replaces random blocks among {@code live.length}: frees one, allocates another of a random size.
     *
     * @param live
     *            addresses, 0 where there is none yet; updated
     * @param n
     *            replacements
     * @param orders
     *            sizes spread over so many powers of two from 512 bytes on
     * @param seed
     *            of the xorshift generator
     * @return the generator's state, to go on with
     */
    public static long churn(final Allocator allocator, final long[] live, final int n, final int orders,
            final long seed) {
        long s = seed;
        for (int i = 0; i < n; i++) {
            s ^= s << 13;
            s ^= s >>> 7;
            s ^= s << 17;
            final int k = (int) Long.remainderUnsigned(s, live.length);
            if (live[k] != 0) {
                allocator.free(live[k]);
            }
            final long order = 9 + (s >>> 20) % orders;
            live[k] = allocator.allocate((1L << order) + (s >>> 40 & 511), 0);
        }
        return s;
    }

    /** The generator's first state. */
    public static long seed() {
        return SEED;
    }
}
