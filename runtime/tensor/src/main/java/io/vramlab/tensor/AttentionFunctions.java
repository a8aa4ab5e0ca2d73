package io.vramlab.tensor;

import io.vramlab.footprint.AttentionBackend;
import io.vramlab.tensor.core.GradMode;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.arrange.RepeatInterleave;
import io.vramlab.tensor.ops.attention.Attention;
import io.vramlab.tensor.ops.attention.NativeAttention;
import io.vramlab.tensor.ops.attention.SdpaKernel;
import io.vramlab.tensor.ops.matrix.Baddbmm;
import io.vramlab.tensor.ops.view.Joins;
import java.lang.ref.Reference;

/** {@link Functional}'s attention. */
abstract class AttentionFunctions extends NetworkFunctions {

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
        try {
            return Attention.choice(query.impl(), key.impl(), value.impl(), attnMask == null ? null : attnMask.impl(),
                    dropoutP, isCausal, enableGqa);
        } finally {
            Reference.reachabilityFence(new Tensor[]{query, key, value, attnMask});
        }
    }

    /** input, broadcast to [n, l, s], plus the products of [n, l, d] and [n, d, s]. */
    public static Tensor baddbmm(Tensor input, Tensor batch1, Tensor batch2) {
        return Calls.lower(a -> Baddbmm.of(a[0], a[1], a[2]), input, batch1, batch2);
    }

    /** Each slice of a dimension so many times, one after the other. */
    public static Tensor repeatInterleave(Tensor x, long repeats, int dim) {
        return Calls.call(a -> RepeatInterleave.of(a[0], repeats, dim), x);
    }

    /** Views of those sizes along a dimension. */
    public static Tensor[] split(Tensor x, long[] sizes, int dim) {
        return Calls.several(a -> Joins.split(a[0], sizes, dim), x);
    }

    /**
     * Self-attention by several heads in one call, without gradients: PyTorch's _native_multi_head_attention, the fast path of
     * its modules in inference.
     *
     * @param x
     *            [n, l, width]: queries, keys and values
     * @param heads
     *            how many; divides width
     * @param inWeight
     *            [3 width, width]
     * @param inBias
     *            [3 width]
     * @param outWeight
     *            [width, width]
     * @param outBias
     *            [width]
     * @param mask
     *            broadcast to [n, heads, l, l], not zero where no attention is paid; or null
     * @param needWeights
     *            whether the weights are wanted
     * @param averageWeights
     *            whether they are averaged over the heads
     * @return [n, l, width], then the weights [n, l, l] or [n, heads, l, l], or null
     */
    public static Tensor[] nativeMultiHeadAttention(Tensor x, long heads, Tensor inWeight, Tensor inBias,
            Tensor outWeight, Tensor outBias, Tensor mask, boolean needWeights, boolean averageWeights) {
        try (GradMode.State off = GradMode.enter(false)) {
            TensorImpl[] made = NativeAttention.of(x.impl(), heads, inWeight.impl(), inBias.impl(), outWeight.impl(),
                    outBias.impl(), mask == null ? null : mask.impl(), needWeights, averageWeights);
            return new Tensor[]{Tensor.wrap(made[0]), made[1] == null ? null : Tensor.wrap(made[1])};
        } finally {
            Reference.reachabilityFence(new Tensor[]{x, inWeight, inBias, outWeight, outBias, mask});
        }
    }

    /** x [m, in] times the transpose of weight [out, in] plus bias [out], then ReLU or GELU in place, without gradients. */
    public static Tensor addmmActivation(Tensor bias, Tensor x, Tensor weight, boolean gelu) {
        try (GradMode.State off = GradMode.enter(false)) {
            return Calls.call(a -> NativeAttention.activated(a[0], a[1], a[2], gelu), bias, x, weight);
        }
    }
}
