package io.vramlab.footprint;

/**
 * The workspaces of cuDNN 9's attention, which PyTorch takes from its allocator while the kernels run (cudnn/MHA.cpp), fitted
 * to an H200 and cuDNN 9.19; docs/footprint.md, "Attention".
 */
public final class CudnnAttention {

    /** Two numbers that say where the random numbers of dropout begin, one after the other, dropout or not. */
    public static final long SEED = Long.BYTES;

    private static final long SMALLEST = 256;

    private CudnnAttention() {
    }

    /** Of forward: none for a single query. */
    public static Footprint forward(long[] query) {
        return query[2] > 1 ? new Footprint.Steps().pass(SMALLEST).done() : Footprint.NOTHING;
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
