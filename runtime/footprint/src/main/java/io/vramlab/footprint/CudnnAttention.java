package io.vramlab.footprint;

/**
 * The workspaces of cuDNN 9's attention, which PyTorch takes from its allocator while the kernels run (cudnn/MHA.cpp), fitted
 * to an H200 and cuDNN 9.19; docs/footprint.md, "Attention".
 */
public final class CudnnAttention {

    /** Two numbers that say where the random numbers of dropout begin, one after the other, dropout or not. */
    public static final long SEED = Long.BYTES;

    private static final long SMALLEST = 256;
    private static final long FEW_KEYS = 512;
    private static final long KEYS_AT_ONCE = 16;
    private static final long KEYS_OF_A_TILE = 128;
    private static final long LEAST_PARTS = 4;
    private static final long MOST_BLOCKS = 256;
    private static final long LINE = 128;

    private CudnnAttention() {
    }

    /**
     * Of forward. A single query over more than 512 keys is shared out among as many blocks as there are whole tiles of keys, or the largest power
     * of two below, at most 256 for all heads of keys: each block leaves its sums in float32, and two numbers per row. Where it would be fewer
     * than four, or the keys are fewer, nothing is taken. So 852 of 853 recorded shapes had it, and all once keys are counted by sixteens.
     *
     * @param query
     *            shape [n, heads, l, d]
     * @param key
     *            shape [n, kv, s, d]
     * @param value
     *            shape [n, kv, s, e]
     */
    public static Footprint forward(long[] query, long[] key, long[] value) {
        if (query[2] > 1) {
            return new Footprint.Steps().pass(SMALLEST).done();
        }
        long shared = key[0] * key[1];
        if (key[2] <= FEW_KEYS || shared * LEAST_PARTS > MOST_BLOCKS) {
            return Footprint.NOTHING;
        }
        long tiles = aligned(key[2], KEYS_AT_ONCE) / KEYS_OF_A_TILE;
        long parts = Long.highestOneBit(Math.min(tiles, MOST_BLOCKS / shared));
        long rows = parts * query[0] * query[1];
        return new Footprint.Steps().pass(aligned(rows * value[3] * Float.BYTES, LINE)
                + 2 * aligned(rows * Float.BYTES, LINE) + LINE).done();
    }

    private static long aligned(long bytes, long to) {
        return (bytes + to - 1) / to * to;
    }

    /**
     * Of backward: the queries' gradient is summed in float32, with one number per row; keys and values that several heads
     * share have gradients per head first.
     *
     * @param query
     *            shape [n, heads, l, d]
     * @param key
     *            shape [n, kv, s, d]
     * @param value
     *            shape [n, kv, s, e]
     * @param element
     *            bytes of an element
     */
    public static Footprint backward(long[] query, long[] key, long[] value, long element) {
        long rows = query[0] * query[1] * query[2];
        long shared = key[1] == query[1] ? 0 : query[0] * query[1] * key[2] * (key[3] + value[3]) * element;
        return new Footprint.Steps().pass(rows * (query[3] + 1) * Float.BYTES + shared + SMALLEST).done();
    }
}
