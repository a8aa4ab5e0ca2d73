package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.footprint.AttentionBackend;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.Views;

/**
 * PyTorch's native_multi_head_attention_cuda: what multi-head self-attention does in inference. By a fused kernel of flash or
 * memory-efficient attention where weights and mask are not asked for, else with scores in place of each other.
 */
public final class NativeAttention {

    private NativeAttention() {
    }

    /** The output, then the weights or null. */
    public static TensorImpl[] of(TensorImpl x, long heads, TensorImpl inWeight, TensorImpl inBias,
            TensorImpl outWeight,
            TensorImpl outBias, TensorImpl mask, boolean needWeights, boolean average) {
        if (mask == null && !needWeights && fuses(x, heads)) {
            return new TensorImpl[]{fused(x, heads, inWeight, inBias, outWeight, outBias), null};
        }
        try (Temps t = new Temps()) {
            TensorImpl packed = t.own(packed(x, heads, inWeight, inBias));
            TensorImpl[] qkv = Joins.unbind(packed, 0);
            for (TensorImpl part : qkv) {
                t.own(part);
            }
            TensorImpl weights = t.own(weights(qkv[0], qkv[1], mask));
            // the products take the queries' place
            TensorImpl context = qkv[0];
            x.driver().kernels().matmul(context.operand(), weights.operand(), qkv[2].operand(), 1, 0, x.stream());
            if (!needWeights) {
                t.free(weights);
            }
            TensorImpl out = joined(context, outWeight, outBias);
            t.own(out);
            if (!needWeights) {
                return t.give(out, null);
            }
            if (!average) {
                return t.give(out, weights);
            }
            TensorImpl sum = t.own(Sums.sum(weights, new int[]{1}, false));
            InPlace.div(sum, heads);
            return t.give(out, sum);
        }
    }

    private static boolean fuses(TensorImpl x, long heads) {
        long width = x.shape()[2];
        if (width / heads % 8 != 0) {
            return false;
        }
        try (Temps t = new Temps()) {
            TensorImpl q = t.own(byHead(x, heads));
            AttentionBackend backend = Attention.choice(q, q, q, null, 0, false, false);
            return backend == AttentionBackend.FLASH || backend == AttentionBackend.EFFICIENT;
        }
    }

    private static TensorImpl byHead(TensorImpl x, long heads) {
        try (Temps t = new Temps()) {
            TensorImpl split = t.own(Views.view(x, x.shape()[0], -1, heads, x.shape()[2] / heads));
            return Views.transpose(split, 1, 2);
        }
    }

    private static TensorImpl fused(TensorImpl x, long heads, TensorImpl inWeight, TensorImpl inBias,
            TensorImpl outWeight, TensorImpl outBias) {
        try (Temps t = new Temps()) {
            TensorImpl projected = t.own(MatrixOps.linear(x, inWeight, inBias));
            TensorImpl[] parts = Joins.chunk(projected, 3, -1);
            for (int i = 0; i < parts.length; i++) {
                t.own(parts[i]);
                parts[i] = t.own(byHead(parts[i], heads));
            }
            try (Temps made = new Temps()) {
                TensorImpl y = made.own(Attention.of(parts[0], parts[1], parts[2], null, 0, false, null, false));
                TensorImpl turned = made.own(Views.transpose(y, 1, 2));
                TensorImpl joined = made.own(Views.reshape(turned, x.shape()[0], -1, x.shape()[2]));
                return MatrixOps.linear(joined, outWeight, outBias);
            }
        }
    }

    /** [3, n, heads, l, size]: with bias, the queries scaled. */
    private static TensorImpl packed(TensorImpl x, long heads, TensorImpl weight, TensorImpl bias) {
        long n = x.shape()[0];
        long l = x.shape()[1];
        long size = x.shape()[2] / heads;
        try (Temps t = new Temps()) {
            TensorImpl projected = t.own(MatrixOps.linear(x, weight, null));
            TensorImpl out = t.own(TensorImpl.empty(x.device(), x.dtype(), 3, n, heads, l, size));
            long[] strides = {heads * size, l * 3 * heads * size, size, 3 * heads * size, 1};
            TensorImpl from = t.own(projected.alias(out.shape(), strides, projected.offset()));
            TensorImpl shift = t.own(bias.alias(out.shape(), new long[]{heads * size, 0, size, 0, 1}, bias.offset()));
            Launch.into(ElementOp.ADD, new double[]{1}, out, from, shift);
            TensorImpl queries = t.own(Views.select(out, 0, 0));
            Launch.into(ElementOp.MUL_SCALAR, new double[]{1 / Math.sqrt(size)}, queries, queries);
            return t.give(out);
        }
    }

    private static TensorImpl weights(TensorImpl q, TensorImpl k, TensorImpl mask) {
        try (Temps t = new Temps()) {
            TensorImpl turned = t.own(Views.transpose(k, -2, -1));
            TensorImpl scores = t.own(MatrixOps.matmul(q, turned));
            int dim = scores.rank() - 1;
            if (mask == null) {
                q.driver().kernels().softmax(scores.operand(), scores.operand(), dim, false, q.stream());
                return t.give(scores);
            }
            TensorImpl hidden = t.own(mask.dtype() == DType.BOOL
                    ? mask.retain()
                    : Launch.unary(ElementOp.NE_SCALAR, mask, DType.BOOL, 0));
            TensorImpl out = t.own(TensorImpl.empty(q.device(), q.dtype(), scores.shape()));
            TensorImpl dense = t.own(Copies.contiguous(hidden));
            Launch.into(ElementOp.MASKED_FILL, new double[]{Double.NEGATIVE_INFINITY}, scores, scores, dense);
            q.driver().kernels().softmax(out.operand(), scores.operand(), dim, false, q.stream());
            return t.give(out);
        }
    }

    /** [n, heads, l, size] as [n, l, width], through the last layer. */
    private static TensorImpl joined(TensorImpl context, TensorImpl weight, TensorImpl bias) {
        long n = context.shape()[0];
        long l = context.shape()[2];
        try (Temps t = new Temps()) {
            TensorImpl turned = t.own(Views.transpose(context, 1, 2));
            TensorImpl dense = t.own(Copies.contiguous(turned));
            TensorImpl rows = t.own(Views.view(dense, n * l, weight.shape()[1]));
            TensorImpl out = t.own(MatrixOps.linear(rows, weight, bias));
            return Views.view(out, n, l, weight.shape()[0]);
        }
    }

    /** x times the transpose of weight plus bias, activated in place. GELU is the tanh's, as cublasLt's. */
    public static TensorImpl activated(TensorImpl bias, TensorImpl x, TensorImpl weight, boolean gelu) {
        try (Temps t = new Temps()) {
            TensorImpl turned = t.own(Views.t(weight));
            TensorImpl out = t.own(MatrixOps.addmm(bias, x, turned));
            Launch.into(gelu ? ElementOp.GELU_TANH : ElementOp.RELU, Launch.NONE, out, out);
            return t.give(out);
        }
    }
}
