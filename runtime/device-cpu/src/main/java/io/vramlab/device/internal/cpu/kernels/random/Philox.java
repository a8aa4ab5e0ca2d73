package io.vramlab.device.internal.cpu.kernels.random;

/**
 * Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011): four random words
 * from a key, here the seed, and a counter. Having no state, it gives the same words on every device and in any order.
 */
final class Philox {

    private static final int ROUNDS = 10;
    private static final long M0 = 0xD2511F53L;
    private static final long M1 = 0xCD9E8D57L;
    private static final int W0 = 0x9E3779B9;
    private static final int W1 = 0xBB67AE85;
    private static final long WORD = 0xffffffffL;

    private Philox() {
    }

    /** Writes the four words of a counter to {@code to}, from {@code at} on. */
    static void words(long seed, long counter, int[] to, int at) {
        block(seed, counter, 0, to, at);
    }

    /** As {@link #words}, with the upper half of the 128-bit counter. */
    static void block(long seed, long counter, long upper, int[] to, int at) {
        int c0 = (int) counter;
        int c1 = (int) (counter >>> 32);
        int c2 = (int) upper;
        int c3 = (int) (upper >>> 32);
        int k0 = (int) seed;
        int k1 = (int) (seed >>> 32);
        for (int round = 0; round < ROUNDS; round++) {
            long p0 = M0 * (c0 & WORD);
            long p1 = M1 * (c2 & WORD);
            c0 = (int) (p1 >>> 32) ^ c1 ^ k0;
            c1 = (int) p1;
            c2 = (int) (p0 >>> 32) ^ c3 ^ k1;
            c3 = (int) p0;
            k0 += W0;
            k1 += W1;
        }
        to[at] = c0;
        to[at + 1] = c1;
        to[at + 2] = c2;
        to[at + 3] = c3;
    }
}
