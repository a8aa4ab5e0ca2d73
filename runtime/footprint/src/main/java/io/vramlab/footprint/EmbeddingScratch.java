package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;

/**
 * The transient memory of an embedding's gradient. Up to 3,072 indices PyTorch adds rows as they come; beyond, it sorts
 * the indices, finds the segments of equal ones, cuts those into pieces of ten rows, sums the pieces, then the segments
 * (EmbeddingBackwardKernel.cu of 2.11). The sizes of CUB's own scratch memory were fitted to recordings of 1 to 1,000,000
 * indices on an H200; the tile sizes in them belong to that architecture. See docs/footprint.md, "Gradients of rows".
 */
public final class EmbeddingScratch {

    private static final long LARGEST_UNSORTED = 3072;
    private static final long ROWS_PER_PIECE = 10;
    private static final long ATOMIC_BLOCKS_PER_PROCESSOR = 4;
    private static final long MAX_THREADS = 1024;
    private static final long INDEX_BYTES = 8;

    /** Anything from 4,480 to 4,607 would do. */
    private static final long UNIQUE_TILE = 4576;
    private static final long SCAN_TILE = 896;

    private EmbeddingScratch() {
    }

    /** Whether a gradient of that many rows is summed in this way; if not, nothing is taken. */
    public static boolean applies(long indices) {
        return indices > LARGEST_UNSORTED;
    }

    /** Sorts the indices: what is taken before the gradient itself, and held until it is there. */
    public static Footprint sorting(long indices) {
        long bytes = INDEX_BYTES * indices;
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(bytes);
        steps.take(bytes);
        int positions = steps.take(bytes);
        return steps.pass(CubScratch.sort(indices, Long.SIZE)).giveBack(positions).done();
    }

    /** Counts how often each sorted index is there, from the front and from the back: one count an index, which stays. */
    public static Footprint counting(long indices) {
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(INDEX_BYTES * indices);
        long scan = CubScratch.scanByLongKey(indices);
        return steps.pass(scan).pass(scan).done();
    }

    /**
     * Sums the rows: what is taken after the gradient, while what sorting took is held.
     *
     * @param rows
     *            of the gradient
     * @param width
     *            elements of a row
     */
    public static Footprint summing(DeviceProperties device, DType dtype, long indices, long rows, long width) {
        long segments = Math.min(indices, rows);
        return summing(dtype, indices, rows, width,
                sumsAtomically(device, segments, indices / ROWS_PER_PIECE + segments, width));
    }

    /** The same of an embedding bag, which never sums by all blocks at once ({@code use_fused_kernel}). */
    public static Footprint summingBags(DType dtype, long indices, long rows, long width) {
        return summing(dtype, indices, rows, width, false);
    }

    private static Footprint summing(DType dtype, long indices, long rows, long width, boolean atomically) {
        long bytes = INDEX_BYTES * indices;
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(bytes);
        steps.take(Long.BYTES);
        int distinct = steps.take(bytes);
        steps.pass(CubScratch.scan(indices, UNIQUE_TILE)).giveBack(distinct);
        long segments = Math.min(indices, rows);
        steps.take(INDEX_BYTES * segments);
        steps.take(INDEX_BYTES * segments);
        steps.pass(CubScratch.scan(segments, SCAN_TILE));
        steps.take(Long.BYTES);
        long pieces = indices / ROWS_PER_PIECE + segments;
        steps.take(INDEX_BYTES * pieces);
        if (atomically) {
            steps.take(INDEX_BYTES * pieces);
            if (dtype.bytes() < Float.BYTES) {
                steps.take(rows * width * Accumulator.ofSum(dtype));
            }
        } else {
            steps.take(pieces * width * Accumulator.ofSum(dtype));
        }
        return steps.done();
    }

    /** Few long segments are summed by all blocks at once; many short ones each by its own. */
    private static boolean sumsAtomically(DeviceProperties device, long segments, long pieces, long width) {
        long warps = CubScratch.tiles(width, device.warpSize()) * device.warpSize();
        long blocks = CubScratch.tiles(segments * warps, Math.min(warps, MAX_THREADS));
        return blocks < device.multiProcessorCount() * ATOMIC_BLOCKS_PER_PROCESSOR && pieces > 4 * blocks;
    }
}
