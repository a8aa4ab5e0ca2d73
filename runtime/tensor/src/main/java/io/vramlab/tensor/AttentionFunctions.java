package io.vramlab.tensor;

import io.vramlab.footprint.AttentionBackend;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.attention.Attention;
import io.vramlab.tensor.internal.ops.attention.NativeAttention;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.type.SdpaKernel;
import io.vramlab.tensor.type.TensorException;
import java.lang.ref.Reference;

/**
 * {@link Functional}'s attention. On a GPU PyTorch's choice of kernel decides what memory it takes: see
 * docs/footprint.md, "Attention", and {@link SdpaKernel}.
 */
abstract sealed class AttentionFunctions extends RecurrentFunctions permits Functional {

    /**
     * Softmax of the products of queries and keys, times the values. As
     * {@code torch.nn.functional.scaled_dot_product_attention}.
     *
     * @param query
     *            [… heads, l, d]
     * @param key
     *            [… heads, s, d]
     * @param value
     *            [… heads, s, e]
     * @return a new tensor [… heads, l, e]; backward keeps query, key, value, result and one number for each query;
     *         with the math kernel all probabilities [… heads, l, s] and the scaled queries and keys
     * @throws TensorException
     *             if shapes, dtypes or mask do not fit, or no allowed kernel can compute it
     */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value) {
        return scaledDotProductAttention(query, key, value, null, 0, false, null, false);
    }

    /**
     * Attention in which a query sees what stands before it, or all. As
     * {@code torch.nn.functional.scaled_dot_product_attention}.
     *
     * @param query
     *            [… heads, queries, width]
     * @param key
     *            [… heads, keys, width]
     * @param value
     *            [… heads, keys, width of values]
     * @param isCausal
     *            whether later keys are hidden
     * @return a new tensor [… heads, queries, width of values]
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, boolean isCausal) {
        return scaledDotProductAttention(query, key, value, null, 0, isCausal, null, false);
    }

    /**
     * Softmax of the products of queries and keys, times the values. As
     * {@code torch.nn.functional.scaled_dot_product_attention}.
     *
     * @param query
     *            [… heads, l, d]
     * @param key
     *            [… heads, s, d]
     * @param value
     *            [… heads, s, e]
     * @param attnMask
     *            broadcast to [… heads, l, s]: bool, true where attention is paid, or what is added to the scores; or
     *            null
     * @return a new tensor [… heads, l, e]; backward keeps query, key, value, result and one number for each query;
     *         with the math kernel all probabilities [… heads, l, s] and the scaled queries and keys
     * @throws TensorException
     *             if shapes, dtypes or mask do not fit, or no allowed kernel can compute it
     */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, Tensor attnMask) {
        return scaledDotProductAttention(query, key, value, attnMask, 0, false, null, false);
    }

    /**
     * Softmax of the products of queries and keys, times the values. As
     * {@code torch.nn.functional.scaled_dot_product_attention}.
     *
     * @param query
     *            [… heads, l, d]
     * @param key
     *            [… heads, s, d]
     * @param value
     *            [… heads, s, e]
     * @param attnMask
     *            broadcast to [… heads, l, s]: bool, true where attention is paid, or what is added to the scores; or
     *            null
     * @param dropoutP
     *            probability of leaving a probability out; applied always, so give 0 when not training; 0 by default
     * @param isCausal
     *            whether a query sees no later key; not with a mask; false by default
     * @return a new tensor [… heads, l, e]; backward keeps query, key, value, result and one number for each query;
     *         with the math kernel all probabilities [… heads, l, s] and the scaled queries and keys
     * @throws TensorException
     *             if shapes, dtypes or mask do not fit, or no allowed kernel can compute it
     */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, Tensor attnMask,
            double dropoutP, boolean isCausal) {
        return scaledDotProductAttention(query, key, value, attnMask, dropoutP, isCausal, null, false);
    }

    /**
     * Softmax of the products of queries and keys, times the values. As
     * {@code torch.nn.functional.scaled_dot_product_attention}.
     *
     * @param query
     *            [… heads, l, d]
     * @param key
     *            [… heads, s, d]
     * @param value
     *            [… heads, s, e]
     * @param attnMask
     *            broadcast to [… heads, l, s]: bool, true where attention is paid, or what is added to the scores; or
     *            null
     * @param dropoutP
     *            probability of leaving a probability out; applied always, so give 0 when not training; 0 by default
     * @param isCausal
     *            whether a query sees no later key; not with a mask; false by default
     * @param scale
     *            factor of the products; null, the default, for 1 / sqrt(d)
     * @param enableGqa
     *            whether key and value may have fewer heads, each for several of the queries'; false by default
     * @return a new tensor [… heads, l, e]; backward keeps query, key, value, result and one number for each query;
     *         with the math kernel all probabilities [… heads, l, s] and the scaled queries and keys
     * @throws TensorException
     *             if shapes, dtypes or mask do not fit, or no allowed kernel can compute it
     */
    public static Tensor scaledDotProductAttention(Tensor query, Tensor key, Tensor value, Tensor attnMask,
            double dropoutP, boolean isCausal, Double scale, boolean enableGqa) {
        return Calls.lower(a -> Attention.of(a[0], a[1], a[2], a[3], dropoutP, isCausal, scale, enableGqa), query, key,
                value, attnMask);
    }

    /**
     * Which kernel PyTorch would choose for it, now. As {@code torch._fused_sdp_choice}.
     *
     * @param query
     *            [… heads, l, d]
     * @param key
     *            [… heads, s, d]
     * @param value
     *            [… heads, s, e]
     * @param attnMask
     *            broadcast to [… heads, l, s]: bool, true where attention is paid, or what is added to the scores; or
     *            null
     * @param dropoutP
     *            probability of leaving a probability out; applied always, so give 0 when not training; 0 by default
     * @param isCausal
     *            whether a query sees no later key; not with a mask; false by default
     * @param enableGqa
     *            whether key and value may have fewer heads, each for several of the queries'; false by default
     * @return the kernel; nothing is computed
     * @throws TensorException
     *             if shapes, dtypes or mask do not fit, or no allowed kernel can compute it
     */
    public static AttentionBackend fusedSdpChoice(Tensor query, Tensor key, Tensor value, Tensor attnMask,
            double dropoutP, boolean isCausal, boolean enableGqa) {
        try {
            return Attention.choice(query.impl(), key.impl(), value.impl(), attnMask == null ? null : attnMask.impl(),
                    dropoutP, isCausal, enableGqa);
        } finally {
            Reference.reachabilityFence(new Tensor[]{query, key, value, attnMask});
        }
    }

    /**
     * Self-attention by several heads in one call, without gradients: the fast path of PyTorch's modules in inference.
     * As {@code torch._native_multi_head_attention}.
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
     * @return [n, l, width], then the weights [n, l, l] or [n, heads, l, l], or null; new tensors outside the graph
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
}
