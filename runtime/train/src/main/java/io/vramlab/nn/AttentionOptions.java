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

    /** Probability with which a weight is left out while training. */
    public AttentionOptions dropout(double p) {
        dropout = Dropout.requireProbability(p);
        return this;
    }

    /** Whether the projections have biases. */
    public AttentionOptions bias(boolean on) {
        bias = on;
        return this;
    }

    /** Whether a learned key and value is added to each sequence. */
    public AttentionOptions addBiasKv(boolean on) {
        addBiasKv = on;
        return this;
    }

    /** Whether a key and value of zeros is added to each sequence. */
    public AttentionOptions addZeroAttn(boolean on) {
        addZeroAttn = on;
        return this;
    }

    /** Width of the keys. */
    public AttentionOptions kdim(long width) {
        kdim = width;
        return this;
    }

    /** Width of the values. */
    public AttentionOptions vdim(long width) {
        vdim = width;
        return this;
    }

    /** Whether inputs are [batch, length, width] instead of [length, batch, width]. */
    public AttentionOptions batchFirst(boolean on) {
        batchFirst = on;
        return this;
    }
}
