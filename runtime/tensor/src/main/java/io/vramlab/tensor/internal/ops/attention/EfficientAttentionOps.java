package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.footprint.EfficientAttention;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.arrange.Pads;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;

/** Attention by the memory-efficient kernels: PyTorch's _scaled_dot_product_efficient_attention and its backward. */
public final class EfficientAttentionOps {

    private EfficientAttentionOps() {
    }

    /** As [n, heads, l, s], in memory whose rows begin where the kernels can read: PyTorch's preprocess_mask. */
    static TensorImpl aligned(TensorImpl mask, TensorImpl query, TensorImpl key) {
        long[] shape = {query.shape()[0], query.shape()[1], query.shape()[2], key.shape()[2]};
        try (Temps t = new Temps()) {
            TensorImpl rows = mask;
            if (!EfficientAttention.isMaskAligned(mask.strides())) {
                long width = mask.size(-1);
                TensorImpl padded = t.own(Pads.pad(mask, new long[]{0, EfficientAttention.maskPadding(width)},
                        Pads.Mode.CONSTANT, 0));
                rows = t.own(Views.slice(padded, mask.rank() - 1, 0, width, 1));
            }
            return Views.expand(rows, shape);
        }
    }

    /** With a mask that is {@link #aligned}, or null. */
    static TensorImpl of(TensorImpl query, TensorImpl key, TensorImpl value, TensorImpl bias, double dropout,
            boolean causal, double scale) {
        long[] shape = query.shape().clone();
        shape[3] = value.shape()[3];
        Kernels.Attention how = Attention.how(query, key, dropout, causal, scale);
        boolean keeps = Attention.keepsLogarithms(query, key, value);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Attention.byPosition(query, shape));
            TensorImpl logarithms = t.own(TensorImpl.empty(query.device(), DType.FLOAT32, shape[0], shape[1],
                    keeps ? EfficientAttention.logarithms(shape[2]) : 0));
            Scratch.during(query, device -> EfficientAttention.forward(query.shape(), shape[3], query.dtype()),
                    () -> query.driver().kernels().attention(out.operand(), query.operand(), key.operand(),
                            value.operand(), Attention.spread(bias, query, key), how, query.stream()));
            if (Graph.wanted(query, key, value, bias)) {
                Node node = Graph.record("ScaledDotProductEfficientAttentionBackward0", out,
                        (n, g) -> backward(n, g, how), query, key, value, bias);
                node.save(Graph.inputIf(bias != null, node, bias), Graph.input(node, key), Graph.input(node, query),
                        Graph.input(node, value), Graph.input(node, logarithms), Graph.result(node, out));
            }
            return t.give(out);
        }
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, Kernels.Attention how) {
        TensorImpl bias = n.saved(0);
        TensorImpl key = n.saved(1);
        TensorImpl query = n.saved(2);
        TensorImpl value = n.saved(3);
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(Attention.lyingByPosition(g));
            TensorImpl gradQuery = t.own(Attention.byPosition(query, query.shape()));
            TensorImpl gradKey = t.own(Attention.byPosition(key, key.shape()));
            TensorImpl gradValue = t.own(Attention.byPosition(value, value.shape()));
            TensorImpl gradBias = bias != null && n.wants(3) ? t.own(biasGradient(bias)) : null;
            TensorImpl sums = t.own(sums(grad, n.saved(5)));
            TensorImpl workspace = t.own(TensorImpl.empty(query.device(), DType.UINT8,
                    EfficientAttention.workspace(query.driver().properties(), query.shape(), value.shape(),
                            query.dtype(), how.dropout() > 0)));
            query.driver().kernels().attentionBackward(gradQuery.operand(), gradKey.operand(), gradValue.operand(),
                    gradBias == null ? null : gradBias.operand(), grad.operand(), query.operand(), key.operand(),
                    value.operand(), Attention.spread(bias, query, key), how, query.stream());
            t.free(sums);
            t.free(workspace);
            return t.give(gradQuery, gradKey, gradValue, gradBias);
        }
    }

    /** Uninitialised, in rows of a width that the kernels can write. */
    private static TensorImpl biasGradient(TensorImpl bias) {
        long[] wide = bias.shape().clone();
        wide[3] = EfficientAttention.maskGradientWidth(wide[3]);
        try (Temps t = new Temps()) {
            TensorImpl memory = t.own(TensorImpl.empty(bias.device(), bias.dtype(), wide));
            return memory.alias(bias.shape(), memory.strides(), 0);
        }
    }

    /** Gradient times result, summed over each row: by PyTorch's own operations for float32, else in the kernel. */
    private static TensorImpl sums(TensorImpl grad, TensorImpl out) {
        long[] shape = grad.shape();
        if (EfficientAttention.sumsItself(grad.driver().properties(), grad.dtype())) {
            return TensorImpl.empty(grad.device(), DType.FLOAT32, shape[0], shape[1], shape[2]);
        }
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            TensorImpl wideGrad = t.own(Copies.to(grad, grad.device(), DType.FLOAT32));
            TensorImpl wideOut = t.own(Copies.to(out, out.device(), DType.FLOAT32));
            TensorImpl products = t.own(Launch.binary(ElementOp.MUL, wideGrad, wideOut, DType.FLOAT32));
            TensorImpl byPosition = t.own(Views.transpose(products, 1, 2));
            TensorImpl sum = t.own(Sums.sum(byPosition, new int[]{3}, false));
            TensorImpl byHead = t.own(Views.transpose(sum, 1, 2));
            return Copies.contiguous(byHead);
        }
    }
}
