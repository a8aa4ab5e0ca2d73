package io.vramlab.device;

import java.util.Optional;

/** The part of {@link Kernels} that weighs values by the products of queries and keys. */
public interface AttentionArithmetic {

    /**
     * How attention is computed.
     *
     * @param scale
     *            factor of the products of queries and keys
     * @param causal
     *            whether a query sees no later key
     * @param dropout
     *            probability with which a probability is left out, 0 for none
     * @param seed
     *            of the random numbers of dropout
     * @param offset
     *            their Philox counter, see {@link RandomArithmetic#random}
     */
    record Attention(double scale, boolean causal, double dropout, long seed, long offset) {
    }

    /** {@return who computes attention in one piece where it can, or none: then it is {@link #attention}} */
    default Optional<FusedAttention> fusedAttention() {
        return Optional.empty();
    }

    /** {@return whose attention PyTorch calls cuDNN's, or none: then it is {@link #fusedAttention}} */
    default Optional<FusedAttention> attentionLibrary() {
        return Optional.empty();
    }

    /**
     * {@code out = dropout(softmax(scale q k' + mask)) v}: query [n, heads, l, d], key [n, kv, s, d], value [n, kv, s, e],
     * out [n, heads, l, e], where kv divides heads; mask [n, heads, l, s] (stride 0 where broadcast) or null. One floating
     * dtype for all but the mask; computed in float32. A row whose keys are all masked gives zeros.
     *
     * @param out
     *            written
     * @param query
     *            [n, heads, l, d]
     * @param key
     *            [n, kv, s, d]
     * @param value
     *            [n, kv, s, e]
     * @param mask
     *            added to the scaled scores, or null
     * @param how
     *            scale, causal or not, dropout
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream);

    /**
     * Gradients of {@link #attention}; gradMask [n, heads, l, s] may be null.
     *
     * @param gradQuery
     *            [n, heads, l, d], written
     * @param gradKey
     *            [n, kv, s, d], written
     * @param gradValue
     *            [n, kv, s, e], written
     * @param gradMask
     *            written, or null if nobody wants it
     * @param gradOut
     *            [n, heads, l, e]
     * @param query
     *            as in {@link #attention}
     * @param key
     *            as in {@link #attention}
     * @param value
     *            as in {@link #attention}
     * @param mask
     *            as in {@link #attention}
     * @param how
     *            as in {@link #attention}, with its seed and offset: the same elements are dropped
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask, Operand gradOut,
            Operand query, Operand key, Operand value, Operand mask, Attention how, long stream);
}
