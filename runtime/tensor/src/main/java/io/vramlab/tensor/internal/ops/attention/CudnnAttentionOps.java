package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.DType;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.footprint.CudnnAttention;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.VendorLibraries;
import java.util.Arrays;

/** Attention by cuDNN's kernels: PyTorch's _scaled_dot_product_cudnn_attention and its backward. */
public final class CudnnAttentionOps {

    private CudnnAttentionOps() {
    }

    static TensorImpl of(TensorImpl query, TensorImpl key, TensorImpl value, TensorImpl bias, double dropout,
            boolean causal, double scale) {
        long[] shape = query.shape().clone();
        shape[3] = value.shape()[3];
        Kernels.Attention how = Attention.how(query, key, dropout, causal, scale);
        try (Temps t = new Temps()) {
            TensorImpl seed = t.own(TensorImpl.empty(query.device(), DType.INT64));
            TensorImpl offset = t.own(TensorImpl.empty(query.device(), DType.INT64));
            TensorImpl out = t.own(TensorImpl.emptyStrided(query.device(), query.dtype(), shape, layout(query, shape)));
            boolean keeps = Attention.keepsLogarithms(query, key, value);
            TensorImpl logarithms = keeps
                    ? t.own(TensorImpl.empty(query.device(), DType.FLOAT32, shape[0], shape[1], shape[2], 1))
                    : null;
            boolean[] fused = new boolean[1];
            Scratch.within(query, device -> CudnnAttention.forward(query.shape(), key.shape(), value.shape()),
                    (address, bytes) -> {
                        VendorLibraries.networks(query);
                        fused[0] = bias == null && FusedKernels.forward(true, out, logarithms, query, key, value, how,
                                new FusedAttention.Working(address, bytes));
                        if (!fused[0]) {
                            query.driver().kernels().attention(out.operand(), query.operand(), key.operand(),
                                    value.operand(),
                                    Attention.spread(bias, query, key), how, query.stream());
                        }
                    });
            if (keeps) {
                Node node = Graph.record("ScaledDotProductCudnnAttentionBackward0", out,
                        (n, g) -> backward(n, g, how, fused[0]), query, key, value);
                node.save(Graph.inputIf(bias != null, node, bias), Graph.input(node, key), Graph.input(node, query),
                        Graph.input(node, value), Graph.input(node, logarithms), Graph.result(node, out),
                        Graph.input(node, offset), Graph.input(node, seed));
            } else {
                t.free(seed);
                t.free(offset);
            }
            return t.give(out);
        }
    }

    /** As the queries lie: alloc_with_matching_layout. */
    private static long[] layout(TensorImpl query, long[] shape) {
        if (Arrays.equals(query.shape(), shape)) {
            return Strides.preserving(query);
        }
        Integer[] order = {0, 1, 2, 3};
        Arrays.sort(order, (a, b) -> Long.compare(query.strides()[a], query.strides()[b]));
        long[] strides = new long[4];
        long stride = 1;
        for (int d : order) {
            strides[d] = stride;
            stride *= shape[d];
        }
        return strides;
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, Kernels.Attention how, boolean fused) {
        TensorImpl bias = n.saved(0);
        TensorImpl key = n.saved(1);
        TensorImpl query = n.saved(2);
        TensorImpl value = n.saved(3);
        TensorImpl out = n.saved(5);
        try (Temps t = new Temps()) {
            TensorImpl gradQuery = t.own(like(query));
            TensorImpl gradKey = t.own(like(key));
            TensorImpl gradValue = t.own(like(value));
            TensorImpl grad = t.own(asOut(g, out));
            Scratch.within(query,
                    device -> CudnnAttention.backward(query.shape(), key.shape(), value.shape(),
                            query.dtype().bytes()),
                    (address, bytes) -> {
                        VendorLibraries.networks(query);
                        if (!fused || !FusedKernels.backward(true, new TensorImpl[]{gradQuery, gradKey, gradValue},
                                grad, out,
                                n.saved(4), query, key, value, how, new FusedAttention.Working(address, bytes))) {
                            query.driver().kernels().attentionBackward(gradQuery.operand(), gradKey.operand(),
                                    gradValue.operand(), null, grad.operand(), query.operand(), key.operand(),
                                    value.operand(), Attention.spread(bias, query, key), how, query.stream());
                        }
                    });
            return t.give(gradQuery, gradKey, gradValue);
        }
    }

    private static TensorImpl like(TensorImpl a) {
        return TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.preserving(a));
    }

    /** cuDNN wants the elements of a row of the gradient beside each other; what it gets instead lies as the result does. */
    private static TensorImpl asOut(TensorImpl g, TensorImpl out) {
        return g.strides()[3] == 1
                ? g.retain()
                : Copies.fill(TensorImpl.emptyStrided(g.device(), g.dtype(), g.shape(), out.strides()), g);
    }
}
