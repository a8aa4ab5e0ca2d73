package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceProperties;

/**
 * The transient memory of an embedding's gradient. Up to 3,072 indices PyTorch adds rows as they come; beyond, it sorts
 * the indices, finds the segments of equal ones, cuts those into pieces of ten rows, sums the pieces, then the segments
 * (EmbeddingBackwardKernel.cu of 2.11). The sizes of CUB's own scratch memory were fitted to recordings of 1 to 1,000,000
 * indices on an H200; the tile sizes in them belong to that architecture. See docs/footprint.md, "Gradients of rows".
 *
 * <p>
 * Used in the order of its methods; closing gives everything back, the last taken first.
 */
final class SortedRows implements AutoCloseable {

    private static final long LARGEST_UNSORTED = 3072;
    private static final long ROWS_PER_PIECE = 10;
    private static final long ATOMIC_BLOCKS_PER_PROCESSOR = 4;
    private static final long MAX_THREADS = 1024;
    private static final long INDEX_BYTES = 8;

    private static final long UNIQUE_TILE = 4608;
    private static final long SCAN_TILE = 896;

    private final Temps held = new Temps();
    private final Device device;
    private final DeviceProperties properties;
    private final long indices;

    private SortedRows(TensorImpl at, long indices) {
        this.device = at.device();
        this.properties = at.driver().properties();
        this.indices = indices;
    }

    /** Whether a gradient of that many rows is summed in this way there. */
    static boolean applies(TensorImpl gradient, long indices) {
        return gradient.device().isCuda() && indices > LARGEST_UNSORTED;
    }

    /** Sorts the indices: what is taken before the gradient itself. */
    static SortedRows sort(TensorImpl gradient, long indices) {
        SortedRows rows = new SortedRows(gradient, indices);
        try {
            long bytes = INDEX_BYTES * indices;
            rows.hold(bytes);
            rows.hold(bytes);
            TensorImpl positions = rows.hold(bytes);
            rows.passing(CubScratch.sort(indices, Long.SIZE));
            rows.held.free(positions);
            return rows;
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    /** Sums the rows into a gradient of that form: what is taken after it. */
    void sum(TensorImpl gradient) {
        long bytes = INDEX_BYTES * indices;
        hold(bytes);
        hold(Long.BYTES);
        TensorImpl distinct = hold(bytes);
        passing(CubScratch.scan(indices, UNIQUE_TILE));
        held.free(distinct);
        long segments = Math.min(indices, gradient.shape()[0]);
        hold(INDEX_BYTES * segments);
        hold(INDEX_BYTES * segments);
        passing(CubScratch.scan(segments, SCAN_TILE));
        hold(Long.BYTES);
        long pieces = indices / ROWS_PER_PIECE + segments;
        hold(INDEX_BYTES * pieces);
        long accumulator = Math.max(gradient.dtype().bytes(), Float.BYTES);
        if (sumsAtomically(segments, pieces, gradient.shape()[1])) {
            hold(INDEX_BYTES * pieces);
            if (gradient.dtype().bytes() < Float.BYTES) {
                hold(gradient.count() * accumulator);
            }
        } else {
            hold(pieces * gradient.shape()[1] * accumulator);
        }
    }

    /** Few long segments are summed by all blocks at once; many short ones each by its own. */
    private boolean sumsAtomically(long segments, long pieces, long width) {
        long warps = CubScratch.tiles(width, properties.warpSize()) * properties.warpSize();
        long blocks = CubScratch.tiles(segments * warps, Math.min(warps, MAX_THREADS));
        return blocks < properties.multiProcessorCount() * ATOMIC_BLOCKS_PER_PROCESSOR && pieces > 4 * blocks;
    }

    private TensorImpl hold(long bytes) {
        return held.own(TensorImpl.empty(device, DType.UINT8, bytes));
    }

    private void passing(long bytes) {
        held.free(hold(bytes));
    }

    @Override
    public void close() {
        held.close();
    }
}
