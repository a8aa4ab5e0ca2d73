package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.ElementOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** scatter_reduce: elements of source joined to those that an index names. The tensor's own elements take part. */
public final class ScatterReduce {

    private ScatterReduce() {
    }

    public static TensorImpl of(TensorImpl a, int dim, TensorImpl index, TensorImpl source, String reduce) {
        int d = Shape.dim(dim, a.rank());
        ScatterOp op = switch (reduce) {
            case "sum", "mean" -> ScatterOp.ADD;
            case "prod" -> ScatterOp.PROD;
            case "amax" -> ScatterOp.MAX;
            case "amin" -> ScatterOp.MIN;
            default -> throw new TensorException("reduce argument must be either sum, prod, mean, amax or amin, got \""
                    + reduce + "\".");
        };
        if (reduce.equals("sum")) {
            return Scatters.scatterAdd(a, d, index, source);
        }
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            out = t.own(Launch.unary(ElementOp.COPY, a, a.dtype()));
            if (index.count() > 0) {
                a.driver().kernels().scatter(op, out.operand(), d, index.operand(), source.operand(), 0, a.stream());
            }
            if (reduce.equals("mean")) {
                try (Temps u = new Temps()) {
                    Launch.into(ElementOp.DIV, Launch.NONE, out, out, u.own(counts(u, a, d, index, source)));
                }
            }
            t.give(out);
        }
        if (Graph.wanted(a, source)) {
            Node node = Graph.record("ScatterReduceBackward0", out, (n, g) -> backward(n, g, d, reduce), a, source);
            node.save(Graph.input(node, a), Graph.input(node, source), Graph.input(node, index),
                    Graph.result(node, out));
        }
        return out;
    }

    /** How many elements met at each place. */
    private static TensorImpl counts(Temps t, TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        TensorImpl ones = t.own(Factories.fullLike(source, 1));
        TensorImpl each = t.own(Factories.fullLike(a, 1));
        TensorImpl many = Scatters.scatterAdd(each, d, index, ones);
        return many;
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, int d, String reduce) {
        TensorImpl x = n.saved(0);
        TensorImpl source = n.saved(1);
        TensorImpl index = n.saved(2);
        TensorImpl result = n.saved(3);
        try (Temps t = new Temps()) {
            if (reduce.equals("mean")) {
                TensorImpl many = t.own(counts(t, x, d, index, source));
                TensorImpl share = t.own(Elementwise.div(g, many));
                TensorImpl given = n.wants(1) ? t.own(Lookup.gather(share, d, index)) : null;
                return new TensorImpl[]{n.wants(0) ? share.retain() : null, t.give(given)};
            }
            if (reduce.equals("prod")) {
                TensorImpl weighted = t.own(Elementwise.mul(g, result));
                TensorImpl self = n.wants(0) ? t.own(Elementwise.div(weighted, x)) : null;
                TensorImpl at = n.wants(1) ? t.own(Lookup.gather(weighted, d, index)) : null;
                TensorImpl given = n.wants(1) ? t.own(Elementwise.div(at, source)) : null;
                return t.give(self, given);
            }
            TensorImpl value = t.own(Lookup.gather(result, d, index));
            TensorImpl isSelf = t.own(Launch.binary(ElementOp.EQ, x, result, g.dtype()));
            TensorImpl isSource = t.own(Launch.binary(ElementOp.EQ, source, value, g.dtype()));
            TensorImpl many = t.own(Scatters.scatterAdd(isSelf, d, index, isSource));
            TensorImpl share = t.own(Elementwise.div(g, many));
            TensorImpl self = n.wants(0) ? t.own(Elementwise.mul(isSelf, share)) : null;
            TensorImpl at = n.wants(1) ? t.own(Lookup.gather(share, d, index)) : null;
            TensorImpl given = n.wants(1) ? t.own(Elementwise.mul(isSource, at)) : null;
            return t.give(self, given);
        }
    }
}
