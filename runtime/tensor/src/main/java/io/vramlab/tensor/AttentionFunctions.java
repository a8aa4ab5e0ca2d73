package io.vramlab.tensor;

import io.vramlab.footprint.AttentionBackend;

/** {@link Functional}'s attention. */
abstract class AttentionFunctions extends ShapeFunctions {

    /** See {@link #scaledDotProductAttention(Tensor, Tensor, Tensor, Tensor, double, boolean, Double, boolean)}. */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value) {
        return scaledDotProductAttention(query, key, value, null, 0, false, null, false);
    }

    /** With a mask, or null: bool, true where attention is paid, or what is added to the scores. */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, Tensor attnMask) {
        return scaledDotProductAttention(query, key, value, attnMask, 0, false, null, false);
    }

    /** With a mask or null, dropout of the probabilities, and whether a query sees no later key. */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, Tensor attnMask,
            double dropoutP, boolean isCausal) {
        return scaledDotProductAttention(query, key, value, attnMask, dropoutP, isCausal, null, false);
    }

    /**
     * Softmax of the products of queries and keys, times the values. On a GPU PyTorch's choice of kernel decides what memory
     * that takes: see docs/footprint.md, "Attention", and {@link SdpaKernel}.
     *
     * @param query
     *            [… heads, l, d]
     * @param key
     *            [… heads, s, d]
     * @param value
     *            [… heads, s, e]
     * @param attnMask
     *            broadcast to [… heads, l, s]: bool, true where attention is paid, or what is added to the scores; or null
     * @param dropoutP
     *            probability of leaving a probability out; applied always, so give 0 when not training
     * @param isCausal
     *            whether a query sees no later key; not with a mask
     * @param scale
     *            factor of the products; null for 1 / sqrt(d)
     * @param enableGqa
     *            whether key and value may have fewer heads, each for several of the queries'
     * @return [… heads, l, e]
     * @throws TensorException
     *             if shapes, dtypes or mask do not fit, or no allowed kernel can compute it
     */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, Tensor attnMask,
            double dropoutP, boolean isCausal, Double scale, boolean enableGqa) {
        return Calls.lower(a -> Attention.of(a[0], a[1], a[2], a[3], dropoutP, isCausal, scale, enableGqa), query, key,
                value, attnMask);
    }

    /** Which kernel PyTorch would choose for it, now. */
    public static AttentionBackend fusedSdpChoice(Tensor query, Tensor key, Tensor value, Tensor attnMask,
            double dropoutP, boolean isCausal, boolean enableGqa) {
        return Attention.choice(query.impl(), key.impl(), value.impl(), attnMask == null ? null : attnMask.impl(),
                dropoutP, isCausal, enableGqa);
    }
}
