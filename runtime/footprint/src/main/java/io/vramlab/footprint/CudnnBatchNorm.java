package io.vramlab.footprint;

/**
 * The workspace of cuDNN's batch norm over images whose channels lie side by side: partial sums of blocks of rows, channels
 * 64 at a time, or 16 where float32 ones are no multiple of 4, which it reads at once (docs/footprint.md, "Norms"). Tensors in
 * PyTorch's own order take none.
 */
public final class CudnnBatchNorm {

    private static final long GROUP = 64;
    private static final long GROUP_OF_SINGLES = 16;
    private static final long READ_AT_ONCE = 4;
    private static final int FORWARD_ROWS = 64;
    private static final int FORWARD_ROWS_OF_HALVES = 160;
    /** Recorded were halves in 24 blocks of 160 rows, which go by 64 instead, and in 64, which go by 160: the bound lies between. */
    private static final long MANY_BLOCKS = 44;
    private static final int BACKWARD_ROWS = 96;
    private static final long FORWARD_REST = 1072;
    private static final long BACKWARD_REST = 1056;

    private CudnnBatchNorm() {
    }

    /**
     * Bytes for the mean and variance of each channel.
     *
     * @param rows
     *            elements of a channel
     * @param element
     *            bytes of an element
     */
    public static long forward(long rows, long channels, int element) {
        long group = group(channels, element);
        boolean manyHalves = element < Float.BYTES
                && ceil(channels, group) * ceil(rows, FORWARD_ROWS_OF_HALVES) > MANY_BLOCKS;
        long blocks = ceil(rows, manyHalves ? FORWARD_ROWS_OF_HALVES : FORWARD_ROWS);
        long counted = Integer.BYTES * (blocks + 1); // how many rows a block had, and which blocks are done
        return ceil(channels, group) * (sums(group, blocks) + counted) + FORWARD_REST;
    }

    /** Bytes for the two sums of the gradient of each channel; see {@link #forward}. */
    public static long backward(long rows, long channels, int element) {
        long group = group(channels, element);
        return ceil(channels, group) * (sums(group, ceil(rows, BACKWARD_ROWS)) + Integer.BYTES) + BACKWARD_REST;
    }

    private static long group(long channels, int element) {
        return element == Float.BYTES && channels % READ_AT_ONCE != 0 ? GROUP_OF_SINGLES : GROUP;
    }

    private static long sums(long group, long blocks) {
        return 2 * Float.BYTES * group * blocks;
    }

    private static long ceil(long a, long b) {
        return (a + b - 1) / b;
    }
}
