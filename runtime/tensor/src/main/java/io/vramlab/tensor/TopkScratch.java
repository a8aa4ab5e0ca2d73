package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;

/**
 * The transient memory of topk over many or long rows, which PyTorch spreads over several thread blocks per row
 * (TensorTopK.cu of 2.11): the blocks count digits of the values, and all rows agree on their k-th value pass by pass.
 * Shorter rows need none. See docs/footprint.md, "topk".
 */
final class TopkScratch {

    private static final long RADIX_DIGITS = 256;
    private static final long THREADS = 256;
    private static final long REGISTERS_PER_THREAD = 40;
    /** Of every GPU since compute capability 3.0. */
    private static final long REGISTERS_PER_PROCESSOR = 65_536;
    private static final long MIN_ITEMS_PER_THREAD = 4;
    private static final long MAX_ITEMS_PER_THREAD = 64;

    private TopkScratch() {
    }

    /** Takes what a topk over the last dimension takes besides its results, and gives it back, the last taken first. */
    static void passing(TensorImpl rows) {
        long length = rows.shape()[rows.rank() - 1];
        long count = length == 0 ? 0 : rows.count() / length;
        if (!rows.device().isCuda() || !isSpread(count, length)) {
            return;
        }
        long blocks = count * blocksPerRow(rows.driver().properties(), count, length);
        int element = rows.dtype().bytes();
        try (Temps t = new Temps()) {
            hold(t, rows, count * element);
            hold(t, rows, 2 * count * Integer.BYTES);
            hold(t, rows, 2 * count * Math.max(element, Integer.BYTES));
            hold(t, rows, blocks * RADIX_DIGITS * Short.BYTES);
            hold(t, rows, count * RADIX_DIGITS * Integer.BYTES);
            hold(t, rows, blocks * Integer.BYTES);
            hold(t, rows, blocks * Integer.BYTES);
            for (int sums = 0; sums < 2; sums++) {
                t.free(hold(t, rows, CubScratch.scanByKey(blocks)));
            }
        }
    }

    /** PyTorch's table: the more rows there are, the shorter those for which it pays. */
    private static boolean isSpread(long rows, long length) {
        long from;
        if (rows <= 20) {
            from = 20_000;
        } else if (rows <= 40) {
            from = 10_000;
        } else if (rows <= 80) {
            from = 8_000;
        } else if (rows < 200) {
            from = 5_000;
        } else if (rows < 800) {
            from = 3_000;
        } else {
            from = rows <= 4_000 ? 800 : 400;
        }
        return rows > 0 && length >= from;
    }

    private static long blocksPerRow(DeviceProperties device, long rows, long length) {
        long atOnce = device.multiProcessorCount() * (REGISTERS_PER_PROCESSOR / (REGISTERS_PER_THREAD * THREADS));
        long items = Math.clamp(CubScratch.tiles(rows * length, atOnce * THREADS), MIN_ITEMS_PER_THREAD,
                MAX_ITEMS_PER_THREAD);
        return CubScratch.tiles(length, items * THREADS);
    }

    private static TensorImpl hold(Temps t, TensorImpl like, long bytes) {
        return t.own(TensorImpl.empty(like.device(), DType.UINT8, bytes));
    }
}
