package io.vramlab.tensor;

import io.vramlab.device.DeviceProperties;

/**
 * The scratch memory of PyTorch's own batch norm over tensors whose channels lie side by side, as those of [n,
 * channels] do: a tall one is summed by several rows of thread blocks (Normalization.cuh, flexible_launch_configs;
 * docs/footprint.md, "Norms").
 */
final class ChannelScratch {

    private static final long MAX_THREADS = 512;
    private static final long ROWS_PER_THREAD = 16;
    private static final long MAX_BLOCKS = 128;
    /** With fewer blocks one column of threads does it all. */
    private static final long WORTH_BLOCKS = 8;

    private ChannelScratch() {
    }

    /** For mean and variance: Welford's numbers of each channel. */
    static ReductionScratch forward(TensorImpl a) {
        return of(a, 4);
    }

    /** For the two sums of the gradient of each channel. */
    static ReductionScratch backward(TensorImpl a) {
        return of(a, 2);
    }

    private static ReductionScratch of(TensorImpl a, int numbers) {
        if (!a.device().isCuda() || a.strides()[1] != 1 || a.count() == 0) {
            return ReductionScratch.NONE;
        }
        DeviceProperties device = a.driver().properties();
        long channels = a.shape()[1];
        long rows = a.count() / channels;
        long width = Math.min(Long.highestOneBit(channels), device.warpSize());
        long height = Math.min(Long.highestOneBit(ceil(rows, ROWS_PER_THREAD)), MAX_THREADS / width);
        if (width * height != MAX_THREADS) {
            width = Math.min(Long.highestOneBit(channels), MAX_THREADS / height);
        }
        long blocks = Math.min(ceil(rows, height * ROWS_PER_THREAD), MAX_BLOCKS);
        if (blocks < WORTH_BLOCKS) {
            return ReductionScratch.NONE;
        }
        long accumulator = Math.max(a.dtype().bytes(), Float.BYTES);
        return new ReductionScratch(numbers * channels * blocks * accumulator, Integer.BYTES * ceil(channels, width));
    }

    private static long ceil(long a, long b) {
        return (a + b - 1) / b;
    }
}
