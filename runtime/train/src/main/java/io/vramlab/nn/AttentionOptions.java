package io.vramlab.nn;

/**
 * What a {@link MultiheadAttention} may be told by name:
 * {@code new MultiheadAttention(512, 8, new AttentionOptions().dropout(0.1).batchFirst(true))}.
 */
public final class AttentionOptions {

    double dropout;
    boolean bias = true;
    boolean addBiasKv;
    boolean addZeroAttn;
    long kdim;
    long vdim;
    boolean batchFirst;

    /** PyTorch's defaults: no dropout, biases, keys and values as wide as the queries, [length, batch, width]. */
    public AttentionOptions() {
    }

    /**
     * Probability with which a weight is left out while training.
     *
     * @param p
     *            in [0, 1]; 0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if p is not in [0, 1]
     */
    public AttentionOptions dropout(double p) {
        dropout = Dropout.requireProbability(p);
        return this;
    }

    /**
     * Whether the projections have biases.
     *
     * @param on
     *            true by default
     * @return this
     */
    public AttentionOptions bias(boolean on) {
        bias = on;
        return this;
    }

    /**
     * Whether a learned key and value is added to each sequence. Two parameters of [1, 1, width].
     *
     * @param on
     *            false by default
     * @return this
     */
    public AttentionOptions addBiasKv(boolean on) {
        addBiasKv = on;
        return this;
    }

    /**
     * Whether a key and value of zeros is added to each sequence.
     *
     * @param on
     *            false by default
     * @return this
     */
    public AttentionOptions addZeroAttn(boolean on) {
        addZeroAttn = on;
        return this;
    }

    /**
     * Width of the keys.
     *
     * @param width
     *            0, the default, for that of the queries; another width gives each input a projection of its own
     * @return this
     */
    public AttentionOptions kdim(long width) {
        kdim = width;
        return this;
    }

    /**
     * Width of the values.
     *
     * @param width
     *            0, the default, for that of the queries; another width gives each input a projection of its own
     * @return this
     */
    public AttentionOptions vdim(long width) {
        vdim = width;
        return this;
    }

    /**
     * Whether inputs are [batch, length, width] instead of [length, batch, width].
     *
     * @param on
     *            false by default
     * @return this
     */
    public AttentionOptions batchFirst(boolean on) {
        batchFirst = on;
        return this;
    }
}
