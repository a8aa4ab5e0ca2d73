package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;

/**
 * The scratch memory of PyTorch's own batch norm over tensors whose channels lie side by side, as those of [n,
 * channels] do: a tall one is summed by several rows of thread blocks (Normalization.cuh, flexible_launch_configs;
 * docs/footprint.md, "Norms").
 */
public final class BatchNormScratch {

    private static final long MAX_THREADS = 512;
    private static final long ROWS_PER_THREAD = 16;
    private static final long MAX_BLOCKS = 128;
    /** With fewer blocks one column of threads does it all. */
    private static final long WORTH_BLOCKS = 8;
    private static final int WELFORD_NUMBERS = 4;
    private static final int SUMS = 2;

    private BatchNormScratch() {
    }

    /**
     * For mean and variance: Welford's numbers of each channel.
     *
     * @param rows
     *            elements of each channel; 0 takes nothing
     * @param channels
     *            that lie side by side
     */
    public static Footprint forward(DeviceProperties device, DType dtype, long rows, long channels) {
        return of(device, dtype, rows, channels, WELFORD_NUMBERS);
    }

    /** For the two sums of the gradient of each channel; see {@link #forward}. */
    public static Footprint backward(DeviceProperties device, DType dtype, long rows, long channels) {
        return of(device, dtype, rows, channels, SUMS);
    }

    private static Footprint of(DeviceProperties device, DType dtype, long rows, long channels, int numbers) {
        if (rows == 0 || channels == 0) {
            return Footprint.NOTHING;
        }
        long width = Math.min(Long.highestOneBit(channels), device.warpSize());
        long height = Math.min(Long.highestOneBit(ceil(rows, ROWS_PER_THREAD)), MAX_THREADS / width);
        if (width * height != MAX_THREADS) {
            width = Math.min(Long.highestOneBit(channels), MAX_THREADS / height);
        }
        long blocks = Math.min(ceil(rows, height * ROWS_PER_THREAD), MAX_BLOCKS);
        return blocks < WORTH_BLOCKS
                ? Footprint.NOTHING
                : new ReductionScratch(numbers * channels * blocks * Accumulator.ofSum(dtype),
                        Integer.BYTES * ceil(channels, width)).footprint();
    }

    private static long ceil(long a, long b) {
        return (a + b - 1) / b;
    }
}
