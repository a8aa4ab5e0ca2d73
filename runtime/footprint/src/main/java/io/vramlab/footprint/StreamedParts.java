package io.vramlab.footprint;

import io.vramlab.device.DType;

/**
 * Into how many parts cuDNN's kernels for compute capability 9.0 cut the sums of each tile that does not fill a wave of
 * blocks; read off cuDNN's answers for machines of up to 18 multiprocessors, whose length of sums was varied step by step
 * ({@code src/fit/streamed.py}; docs/footprint.md, "Convolutions").
 *
 * @param depth
 *            numbers that are summed in a step
 * @param level
 *            what each level of sums of two costs, in steps
 * @param any
 *            what cutting at all costs besides, in steps
 */
record StreamedParts(long depth, double level, double any) {

    /** A part of more parts than eight sums more than so many numbers. */
    private static final long LONG = 1024;
    private static final long FEW = 8;
    /** In steps of float16: what a level costs whatever the tile, and what it costs besides for a tile of 128 by 128. */
    private static final double FIXED = 4.6;
    private static final double MOVED = 1.96;
    /** The same for the memory clock of an H100, 2,619 MHz where an H200 has 3,201. */
    private static final double FIXED_BY_SLOWER_MEMORY = 5.66;
    private static final double SQUARE = 128 * 128;
    private static final long WIDE = 32;
    /** bfloat16 is costed eight times as much, float32 twice, whose steps are half as deep. */
    private static final int OF_BFLOAT16 = 8;
    private static final int OF_FLOAT32 = 2;
    /** Tiles of 128 by 64 in float32, but for gradients of the input. */
    private static final StreamedParts APART = new StreamedParts(WIDE, 15.5, 3.5);
    private static final StreamedParts APART_BY_SLOWER_MEMORY = new StreamedParts(WIDE, 17.5, 4.5);
    /** What cutting at all costs is a fifth after whole waves. */
    private static final double AFTER_WAVES = 0.2;
    /** Of more than two parts, as thresholds of four and eight are. */
    private static final double MORE_LEVELS = 1.009;
    private static final double EQUAL = 1e-9;

    static StreamedParts of(DType dtype, long area, boolean narrow, boolean slowerMemory) {
        double level = (slowerMemory ? FIXED_BY_SLOWER_MEMORY : FIXED) + MOVED * SQUARE / area;
        if (narrow && dtype == DType.FLOAT32) {
            return slowerMemory ? APART_BY_SLOWER_MEMORY : APART;
        }
        return switch (dtype) {
            case FLOAT32 -> new StreamedParts(WIDE, OF_FLOAT32 * level, 0);
            case BFLOAT16 -> new StreamedParts(2 * WIDE, OF_BFLOAT16 * level, 0);
            default -> new StreamedParts(2 * WIDE, level, 0);
        };
    }

    /**
     * Parts of a sum of so many steps, of which the multiprocessors take {@code most} at once. Of long sums as many as are long
     * enough; else the number with the least cost, alone the longest part and all levels, after whole waves what a part has on
     * average.
     */
    long parts(long steps, long most, boolean afterWaves) {
        long ofLong = Math.min(most, steps / (LONG / depth + 1));
        if (ofLong > FEW) {
            return even(steps, ofLong);
        }
        long best = 1;
        double least = Double.MAX_VALUE;
        for (long wanted = 1; wanted <= most; wanted++) {
            long n = even(steps, wanted);
            double cost = afterWaves ? average(steps, n) : ceil(steps, n) + level * levels(n);
            cost += n == 1 ? 0 : afterWaves ? AFTER_WAVES * any : any;
            if (cost < least - EQUAL) {
                least = cost;
                best = n;
            }
        }
        return best;
    }

    /** All parts but the last are equally long. */
    private static long even(long steps, long parts) {
        return ceil(steps, ceil(steps, parts));
    }

    /** Half of the parts are added on the first level, a quarter on the second, and so on; between powers of two a line. */
    private double average(long steps, long n) {
        long power = Long.highestOneBit(n);
        double logarithm = Long.numberOfTrailingZeros(power) + (n - power) / (double) power;
        return (steps + level * (n > 2 ? MORE_LEVELS : 1) * (2 * n - 2 - logarithm)) / n;
    }

    private static long levels(long n) {
        return Long.SIZE - Long.numberOfLeadingZeros(n - 1);
    }

    private static long ceil(long n, long by) {
        return (n + by - 1) / by;
    }
}
