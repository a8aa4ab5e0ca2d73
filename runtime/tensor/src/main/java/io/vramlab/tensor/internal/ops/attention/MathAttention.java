package io.vramlab.tensor.internal.ops.attention;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.arrange.RepeatInterleave;
import io.vramlab.tensor.internal.ops.layer.Normalization;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/** PyTorch's _scaled_dot_product_attention_math: every intermediate result is a tensor, and the graph has a node for each. */
public final class MathAttention {

    private MathAttention() {
    }

    static TensorImpl of(TensorImpl query, TensorImpl key, TensorImpl value, TensorImpl bias, double dropout,
            boolean causal, double scale, boolean grouped) {
        DType origin = query.dtype();
        DType exact = origin.bytes() < Float.BYTES ? DType.FLOAT32 : origin;
        double root = Math.sqrt(Math.abs(scale));
        // in the order in which PyTorch's function lets go: its locals, the mask, the inputs, its second result
        try (Temps last = new Temps();
                Temps inputs = new Temps();
                Temps masks = new Temps();
                Temps locals = new Temps()) {
            TensorImpl q = inputs.own(Copies.to(query, query.device(), exact));
            TensorImpl k = inputs.own(Copies.to(key, key.device(), exact));
            TensorImpl v = inputs.own(Copies.to(value, value.device(), exact));
            TensorImpl scaled = locals.own(Elementwise.mul(q, scale < 0 ? -root : root, false));
            TensorImpl mask = causal ? masks.own(causal(scaled, k)) : bias;
            TensorImpl keys = grouped ? locals.own(repeated(k, q)) : k;
            TensorImpl values = grouped ? locals.own(repeated(v, q)) : v;
            TensorImpl weights = locals.own(probabilities(scaled, keys, mask, root, dropout));
            last.own(Copies.to(weights, weights.device(), origin));
            return product(weights, values, origin);
        }
    }

    private static TensorImpl product(TensorImpl weights, TensorImpl values, DType dtype) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(MatrixOps.matmul(weights, values));
            return Copies.to(out, out.device(), dtype);
        }
    }

    private static TensorImpl probabilities(TensorImpl scaled, TensorImpl keys, TensorImpl mask, double root,
            double dropout) {
        try (Temps t = new Temps()) {
            TensorImpl scores = t.own(scores(scaled, keys, root));
            if (mask != null) {
                InPlace.add(scores, mask, 1);
            }
            TensorImpl softmax = t.own(safeSoftmax(scores));
            t.free(scores);
            return dropout > 0 ? Normalization.dropout(softmax, dropout, true) : t.give(softmax);
        }
    }

    private static TensorImpl scores(TensorImpl scaled, TensorImpl keys, double root) {
        try (Temps t = new Temps()) {
            TensorImpl turned = t.own(Views.transpose(keys, -2, -1));
            return MatrixOps.matmul(scaled, t.own(Elementwise.mul(turned, root, false)));
        }
    }

    /** Zero where a query sees a key, else minus infinity, [l, s]. */
    private static TensorImpl causal(TensorImpl query, TensorImpl key) {
        try (Temps t = new Temps()) {
            TensorImpl ones = t.own(Factories.full(query.device(), DType.BOOL, 1, query.size(-2), key.size(-2)));
            TensorImpl seen = t.own(Selection.triangle(ones, false, 0));
            t.free(ones);
            return Attention.additive(seen, query.dtype());
        }
    }

    /** Each head as often as there are heads of queries for it. */
    private static TensorImpl repeated(TensorImpl a, TensorImpl query) {
        long times = query.size(-3) / a.size(-3);
        if (times * a.size(-3) != query.size(-3)) {
            throw new TensorException("Number of heads in key and value must divide the number of heads in query: "
                    + a.size(-3) + " and " + query.size(-3) + " were given to scaledDotProductAttention.");
        }
        return times == 1 ? a.retain() : RepeatInterleave.of(a, times, -3);
    }

    /** Softmax over the last dimension, but zeros where all is minus infinity: PyTorch's _safe_softmax. */
    private static TensorImpl safeSoftmax(TensorImpl a) {
        int dim = a.rank() - 1;
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Softmax.forward(a, dim, false, a.dtype()));
            TensorImpl masked = t.own(
                    Launch.unary(ElementOp.EQ_SCALAR, a, DType.BOOL, Double.NEGATIVE_INFINITY));
            TensorImpl rows = t.own(Reductions.truth(masked, true, new int[]{dim}, true));
            TensorImpl zero = t.own(Factories.full(a.device(), out.dtype(), 0));
            Launch.into(ElementOp.MASKED_FILL, new double[]{0}, out, out, rows);
            t.free(zero);
            t.free(rows);
            t.free(masked);
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("SafeSoftmaxBackward0", out, a,
                        (n, g) -> Softmax.backward(g, n.saved(0), dim, false, g.dtype()));
                node.save(Graph.result(node, out));
            }
            return t.give(out);
        }
    }
}
