package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;

/**
 * What FlashAttention 2 takes besides its results (flash_attn/flash_api.cpp of 2.11, mha_fwd and mha_bwd; docs/footprint.md,
 * "Attention"). Head sizes are those after padding to a multiple of 8.
 */
public final class FlashAttention {

    /** Head sizes are padded to multiples of this. */
    public static final long HEAD_STEP = 8;
    /** Bytes of the random state, and of a result that nobody uses. */
    public static final long RANDOM_STATE = 2 * Long.BYTES;
    /** Bytes of the other part of what is kept for compatibility. */
    public static final long UNUSED = Long.BYTES;

    private static final long ROWS = 128;
    private static final long SPLIT_ROWS = 64;
    private static final int MOST_SPLITS = 128;

    private FlashAttention() {
    }

    /**
     * The partial results of forward when keys are shared out among blocks: logarithms of sums, then results, which go in
     * that order, when the random state has been taken. Empty where keys are not.
     *
     * @param query
     *            shape [n, heads, l, d], d padded
     * @param key
     *            shape [n, kv, s, d]
     */
    public static long[] parts(DeviceProperties device, long[] query, long[] key, boolean dropout) {
        // a single query's heads that share keys are computed as so many queries
        boolean swapped = query[2] == 1 && query[1] > key[1];
        long[] tasks = swapped ? new long[]{query[0], key[1], query[1] / key[1], query[3]} : query;
        long splits = dropout ? 1 : splits(device, tasks, key[2]);
        if (splits <= 1) {
            return new long[0];
        }
        long rows = splits * query[0] * query[1] * query[2];
        return new long[]{rows * Float.BYTES, rows * rounded(query[3]) * Float.BYTES};
    }

    /**
     * Of backward, after the gradients: sums per row, then the queries' gradient in float32, and gradients per head of keys
     * and values that heads share.
     */
    public static Footprint backward(long[] query, long[] key, long element) {
        return backward(query[0] * query[1] * up(query[2], ROWS), query[3], key[1] == query[1]
                ? 0
                : query[0] * query[1] * key[2] * query[3] * element);
    }

    /**
     * The same of sequences one after the other, each of which may end within a block of rows (mha_varlen_bwd).
     *
     * @param query
     *            shape [positions of all, heads, d]
     * @param key
     *            shape [positions of all, kv, d]
     * @param sequences
     *            how many
     */
    public static Footprint packedBackward(long[] query, long[] key, long sequences, long element) {
        return backward(query[1] * (query[0] + ROWS * sequences), query[2], key[1] == query[1]
                ? 0
                : key[0] * query[1] * query[2] * element);
    }

    /** Shared: bytes of the gradients per head of keys that heads share; 0 for none. */
    private static Footprint backward(long rows, long head, long shared) {
        Footprint.Steps steps = new Footprint.Steps();
        int sums = steps.take(rows * Float.BYTES);
        int queries = steps.take(rows * rounded(head) * Float.BYTES);
        if (shared > 0) {
            int keys = steps.take(shared);
            int values = steps.take(shared);
            steps.giveBack(values).giveBack(keys);
        }
        return steps.giveBack(queries).giveBack(sums).done();
    }

    private static long rounded(long head) {
        return up(head, head <= 128 ? 32 : 64);
    }

    private static long up(long n, long step) {
        return (n + step - 1) / step * step;
    }

    /** num_splits_heuristic: the fewest splits that come near the best use of the multiprocessors. */
    private static long splits(DeviceProperties device, long[] query, long keys) {
        long width = query[3] <= 64 ? 256 : query[3] <= 128 ? 128 : 64;
        long blocks = (keys + width - 1) / width;
        long tasks = query[0] * query[1] * ((query[2] + SPLIT_ROWS - 1) / SPLIT_ROWS);
        long places = device.multiProcessorCount() * 2L;
        if (tasks >= 0.8f * places) {
            return 1;
        }
        int most = (int) Math.min(Math.min(MOST_SPLITS, places), blocks);
        float[] used = new float[most + 1];
        float best = 0;
        for (int n = 1; n <= most; n++) {
            if (isAnother(blocks, n)) {
                float waves = (float) (tasks * n) / places;
                used[n] = waves / (float) Math.ceil(waves);
                best = Math.max(best, used[n]);
            }
        }
        for (int n = 1; n <= most; n++) {
            if (isAnother(blocks, n) && used[n] >= 0.85 * best) {
                return n;
            }
        }
        return 1;
    }

    /** Whether so many splits share the blocks out otherwise than one less. */
    private static boolean isAnother(long blocks, int splits) {
        return splits == 1 || (blocks + splits - 1) / splits != (blocks + splits - 2) / (splits - 1);
    }
}
