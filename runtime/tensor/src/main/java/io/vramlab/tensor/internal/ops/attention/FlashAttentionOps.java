package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.DType;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.footprint.FlashAttention;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.arrange.Pads;
import io.vramlab.tensor.internal.ops.view.Views;
import java.util.ArrayList;
import java.util.List;

/** Attention by FlashAttention 2: PyTorch's _scaled_dot_product_flash_attention and its backward. */
public final class FlashAttentionOps {

    private FlashAttentionOps() {
    }

    static TensorImpl of(TensorImpl query, TensorImpl key, TensorImpl value, double dropout, boolean causal,
            double scale) {
        long head = query.shape()[3];
        if (head % FlashAttention.HEAD_STEP == 0) {
            return fused(query, key, value, dropout, causal, scale);
        }
        try (Temps t = new Temps()) {
            TensorImpl q = t.own(padded(query));
            TensorImpl k = t.own(padded(key));
            TensorImpl v = t.own(padded(value));
            try (Temps wide = new Temps()) {
                return Views.slice(wide.own(fused(q, k, v, dropout, causal, scale)), 3, 0, head, 1);
            }
        }
    }

    private static TensorImpl padded(TensorImpl a) {
        long step = FlashAttention.HEAD_STEP;
        return Pads.pad(a, new long[]{0, step - a.shape()[3] % step}, Pads.Mode.CONSTANT, 0);
    }

    private static TensorImpl fused(TensorImpl query, TensorImpl key, TensorImpl value, double dropout, boolean causal,
            double scale) {
        long[] shape = query.shape();
        Kernels.Attention how = Attention.how(query, key, dropout, causal, scale);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(
                    TensorImpl.emptyStrided(query.device(), query.dtype(), shape, Strides.preserving(query)));
            TensorImpl logarithms = t.own(
                    TensorImpl.empty(query.device(), DType.FLOAT32, shape[0], shape[1], shape[2]));
            try (Temps random = new Temps()) {
                List<TensorImpl> parts = parts(t, query, key, dropout > 0);
                TensorImpl state = random.own(TensorImpl.empty(query.device(), DType.INT64, 2));
                TensorImpl unused = random.own(TensorImpl.empty(query.device(), DType.INT64));
                if (dropout > 0) {
                    TensorImpl drawn = random.own(TensorImpl.empty(query.device(), DType.INT64, 2));
                    random.free(state);
                    state = drawn;
                }
                boolean fused = FusedKernels.forward(false, out, logarithms, query, key, value, how,
                        FusedKernels.NO_MEMORY);
                if (!fused) {
                    query.driver().kernels().attention(out.operand(), query.operand(), key.operand(), value.operand(),
                            null, how, query.stream());
                }
                parts.forEach(t::free);
                if (Graph.wanted(query, key, value)) {
                    Node node = Graph.record("ScaledDotProductFlashAttentionBackward0", out,
                            (n, g) -> backward(n, g, how, fused), query, key, value);
                    node.save(Graph.input(node, key), Graph.input(node, query), Graph.input(node, value),
                            Graph.input(node, logarithms), Graph.result(node, out), Graph.input(node, state),
                            Graph.input(node, unused));
                }
                t.free(logarithms);
                random.free(state);
            }
            return t.give(out);
        }
    }

    /** The partial results of forward, where keys are shared out among blocks. */
    private static List<TensorImpl> parts(Temps t, TensorImpl query, TensorImpl key, boolean dropout) {
        List<TensorImpl> parts = new ArrayList<>();
        for (long bytes : FlashAttention.parts(query.driver().properties(), query.shape(), key.shape(), dropout)) {
            parts.add(t.own(TensorImpl.empty(query.device(), DType.UINT8, bytes)));
        }
        return parts;
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, Kernels.Attention how, boolean fused) {
        TensorImpl key = n.saved(0);
        TensorImpl query = n.saved(1);
        TensorImpl value = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(Attention.lyingByPosition(g));
            TensorImpl out = t.own(Attention.lyingByPosition(n.saved(4)));
            TensorImpl gradQuery = t.own(like(query));
            TensorImpl gradKey = t.own(like(key));
            TensorImpl gradValue = t.own(like(value));
            Scratch.within(query,
                    device -> FlashAttention.backward(query.shape(), key.shape(), query.dtype().bytes()),
                    (address, bytes) -> {
                        if (!fused || !FusedKernels.backward(false, new TensorImpl[]{gradQuery, gradKey, gradValue},
                                grad, out,
                                n.saved(3), query, key, value, how, new FusedAttention.Working(address, bytes))) {
                            query.driver().kernels().attentionBackward(gradQuery.operand(), gradKey.operand(),
                                    gradValue.operand(), null, grad.operand(), query.operand(), key.operand(),
                                    value.operand(), null, how, query.stream());
                        }
                    });
            return t.give(gradQuery, gradKey, gradValue);
        }
    }

    private static TensorImpl like(TensorImpl a) {
        return TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.preserving(a));
    }
}
