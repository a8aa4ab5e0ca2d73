package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;

/**
 * The transient memory of topk over many or long rows, which PyTorch spreads over several thread blocks per row
 * (TensorTopK.cu of 2.11): the blocks count digits of the values, and all rows agree on their k-th value pass by pass.
 * Shorter rows need none. See docs/footprint.md, "topk".
 */
public final class TopkScratch {

    private static final long RADIX_DIGITS = 256;
    private static final long THREADS = 256;
    private static final long REGISTERS_PER_THREAD = 40;
    /** Of every GPU since compute capability 3.0. */
    private static final long REGISTERS_PER_PROCESSOR = 65_536;
    private static final long MIN_ITEMS_PER_THREAD = 4;
    private static final long MAX_ITEMS_PER_THREAD = 64;

    private TopkScratch() {
    }

    /**
     * What a topk over the last dimension takes besides its results.
     *
     * @param rows
     *            how many there are
     * @param length
     *            of a row, in elements
     * @param element
     *            bytes of one
     */
    public static Footprint of(DeviceProperties device, long rows, long length, int element) {
        if (!isSpread(rows, length)) {
            return Footprint.NOTHING;
        }
        long blocks = rows * blocksPerRow(device, rows, length);
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(rows * element);
        steps.take(2 * rows * Integer.BYTES);
        steps.take(2 * rows * Math.max(element, Integer.BYTES));
        steps.take(blocks * RADIX_DIGITS * Short.BYTES);
        steps.take(rows * RADIX_DIGITS * Integer.BYTES);
        steps.take(blocks * Integer.BYTES);
        steps.take(blocks * Integer.BYTES);
        return steps.pass(CubScratch.scanByKey(blocks)).pass(CubScratch.scanByKey(blocks)).done();
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
}
