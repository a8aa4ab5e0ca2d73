package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.AttentionSteps;
import io.vramlab.device.DType;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.footprint.AttentionBackend;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.SdpaKernel;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Optional;

/**
 * Scaled dot-product attention by PyTorch's choice of kernel. All fused kernels compute the same here; they differ in what
 * they take and keep, as the rules of {@link io.vramlab.footprint} say.
 */
public final class Attention {

    private Attention() {
    }

    public static TensorImpl of(TensorImpl query, TensorImpl key, TensorImpl value, TensorImpl mask, double dropout,
            boolean causal, Double scale, boolean grouped) {
        check(query, key, value, mask, causal);
        AttentionBackend backend = choice(query, key, value, mask, dropout, causal, grouped);
        double factor = scale != null ? scale : 1 / Math.sqrt(query.size(-1));
        try (Temps t = new Temps()) {
            TensorImpl bias = mask == null || mask.dtype() != DType.BOOL ? mask : t.own(additive(mask, query.dtype()));
            if (backend == AttentionBackend.EFFICIENT && mask != null) {
                TensorImpl aligned = t.own(EfficientAttentionOps.aligned(bias, query, key));
                if (bias != mask) {
                    t.free(bias);
                }
                bias = aligned;
            }
            return switch (backend) {
                case MATH -> MathAttention.of(query, key, value, bias, dropout, causal, factor, grouped);
                case FLASH -> FlashAttentionOps.of(query, key, value, dropout, causal, factor);
                case EFFICIENT -> EfficientAttentionOps.of(query, key, value, bias, dropout, causal, factor);
                case CUDNN -> CudnnAttentionOps.of(query, key, value, bias, dropout, causal, factor);
            };
        }
    }

    public static AttentionBackend choice(TensorImpl query, TensorImpl key, TensorImpl value, TensorImpl mask,
            double dropout,
            boolean causal, boolean grouped) {
        if (!query.device().isCuda()) {
            return AttentionBackend.MATH;
        }
        AttentionBackend.Question question = new AttentionBackend.Question(query.operand(), key.operand(),
                value.operand(), mask == null ? null : mask.operand(), mask != null && mask.requiresGrad(),
                Graph.wanted(query, key, value), dropout, causal, grouped);
        Optional<AttentionBackend> chosen = AttentionBackend.of(query.driver().properties(), question,
                SdpaKernel.allowed());
        return chosen.orElseThrow(() -> new TensorException("No available kernel. Aborting execution. "
                + SdpaKernel.allowed() + " are allowed for scaledDotProductAttention of " + query.describe() + ", "
                + key.describe() + ", " + value.describe() + ", and none of them can compute it. Allow MATH too."));
    }

    private static void check(TensorImpl query, TensorImpl key, TensorImpl value, TensorImpl mask, boolean causal) {
        if (query.rank() < 2 || key.rank() < 2 || value.rank() < 2) {
            throw new TensorException("scaledDotProductAttention of shapes " + shapes(query, key, value)
                    + " was asked for: query, key and value must have at least 2 dimensions, [… length, size].");
        }
        if (query.dtype() != key.dtype() || query.dtype() != value.dtype()) {
            throw new TensorException("Expected query, key, and value to have the same dtype, but got query.dtype: "
                    + query.dtype() + " key.dtype: " + key.dtype() + " and value.dtype: " + value.dtype()
                    + " instead. Convert with to(dtype).");
        }
        Launch.device("scaledDotProductAttention", query, key, value);
        if (query.size(-1) != key.size(-1) || key.size(-2) != value.size(-2)) {
            throw new TensorException("scaledDotProductAttention of shapes " + shapes(query, key, value)
                    + " was asked for: queries and keys must have one size, keys and values one length.");
        }
        if (mask != null && causal) {
            throw new TensorException("scaledDotProductAttention was asked for with a mask and isCausal: explicit "
                    + "attnMask should not be set when isCausal = true. Put the causal mask into the mask.");
        }
        if (mask != null && mask.dtype() != DType.BOOL && mask.dtype() != DType.FLOAT32
                && mask.dtype() != query.dtype()) {
            throw new TensorException("Expected attnMask dtype to be bool or float or to match query dtype, but got "
                    + "attnMask.dtype: " + mask.dtype() + " and query.dtype: " + query.dtype() + " instead.");
        }
    }

    private static String shapes(TensorImpl query, TensorImpl key, TensorImpl value) {
        return Shape.text(query.shape()) + ", " + Shape.text(key.shape()) + " and " + Shape.text(value.shape());
    }

    /** 0 where attention is paid, else minus infinity: PyTorch's convert_boolean_attn_mask. */
    static TensorImpl additive(TensorImpl mask, DType dtype) {
        try (Temps t = new Temps()) {
            TensorImpl zero = t.own(Factories.full(mask.device(), dtype, 0));
            TensorImpl none = t.own(Factories.full(mask.device(), dtype, Double.NEGATIVE_INFINITY));
            TensorImpl chosen = t.own(Selection.where(mask, zero, none));
            t.free(none);
            t.free(zero);
            return t.give(chosen);
        }
    }

    /** What the kernels are told; draws the random numbers that dropout will need. */
    static Kernels.Attention how(TensorImpl query, TensorImpl key, double dropout, boolean causal, double scale) {
        if (dropout == 0) {
            return new Kernels.Attention(scale, causal, 0, 0, 0);
        }
        Generator generator = Generator.of(query.device());
        return new Kernels.Attention(scale, causal, dropout, generator.initialSeed(),
                generator.take(AttentionSteps.randoms(query.shape(), key.shape()[2])));
    }

    /** A mask as the kernels see it, [n, heads, l, s]. */
    static Operand spread(TensorImpl mask, TensorImpl query, TensorImpl key) {
        return mask == null
                ? null
                : mask.operand(new long[]{query.shape()[0], query.shape()[1], query.shape()[2], key.shape()[2]});
    }

    /** A new [n, heads, l, e] in memory as [n, l, heads, e]. */
    static TensorImpl byPosition(TensorImpl like, long[] shape) {
        long[] strides = {shape[1] * shape[2] * shape[3], shape[3], shape[1] * shape[3], 1};
        return TensorImpl.emptyStrided(like.device(), like.dtype(), shape, strides);
    }

    /** Itself, held once more, or a copy that lies as [n, l, heads, e]. */
    static TensorImpl lyingByPosition(TensorImpl a) {
        try (Temps t = new Temps()) {
            TensorImpl turned = t.own(a.alias(new long[]{a.shape()[0], a.shape()[2], a.shape()[1], a.shape()[3]},
                    new long[]{a.strides()[0], a.strides()[2], a.strides()[1], a.strides()[3]}, a.offset()));
            if (turned.isContiguous()) {
                return a.retain();
            }
            TensorImpl copy = t.own(byPosition(a, a.shape()));
            return t.give(Copies.fill(copy, a));
        }
    }

    /** Whether keys' and values' gradients will be asked for: PyTorch's should_compute_logsumexp. */
    static boolean keepsLogarithms(TensorImpl query, TensorImpl key, TensorImpl value) {
        return Graph.wanted(query, key, value);
    }
}
