package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
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
                    TensorImpl ones = u.own(Factories.fullLike(source, 1));
                    TensorImpl many = u.own(Factories.fullLike(a, 1));
                    Scatters.scatterAdd_(many, d, index, ones);
                    noneIsOne(many);
                    Launch.into(ElementOp.DIV, Launch.NONE, out, out, many);
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

    /** Where nothing met, 1. Never here, where the tensor's own elements take part; PyTorch looks all the same. */
    private static void noneIsOne(TensorImpl many) {
        try (Temps t = new Temps()) {
            InPlace.maskedFill(many, t.own(Elementwise.compare(ElementOp.EQ_SCALAR, many, 0)), 1);
        }
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, int d, String reduce) {
        return switch (reduce) {
            case "mean" -> ofMean(n, g, d);
            case "prod" -> ofProduct(n, g, d);
            default -> ofExtreme(n, g, d);
        };
    }

    private static TensorImpl[] ofMean(Node n, TensorImpl g, int d) {
        TensorImpl index = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl many;
            try (Temps u = new Temps()) {
                TensorImpl each = u.own(Factories.fullLike(g, 1));
                TensorImpl ones = u.own(Factories.fullLike(n.saved(1), 1));
                many = t.own(Scatters.scatterAdd(each, d, index, ones));
                u.free(each);
            }
            noneIsOne(many);
            TensorImpl self = t.own(Elementwise.div(g, many));
            TensorImpl manyAt = t.own(Lookup.gather(many, d, index));
            TensorImpl given;
            try (Temps u = new Temps()) {
                given = t.own(Elementwise.div(u.own(Lookup.gather(g, d, index)), manyAt));
            }
            return t.give(n.wants(0) ? self : null, n.wants(1) ? given : null);
        }
    }

    /** A share of a product without its own factor; where that is 0, the product of the others. */
    private static TensorImpl[] ofProduct(Node n, TensorImpl g, int d) {
        TensorImpl x = n.saved(0);
        TensorImpl source = n.saved(1);
        TensorImpl index = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl ownOnes;
            try (Temps u = new Temps()) {
                ownOnes = t.own(Selection.maskedFill(x, u.own(Elementwise.compare(ElementOp.EQ_SCALAR, x, 0)), 1));
            }
            TensorImpl others = t.own(of(ownOnes, d, index, source, "prod"));
            TensorImpl self;
            try (Temps u = new Temps()) {
                self = t.own(Elementwise.div(u.own(Elementwise.mul(g, others)), ownOnes));
            }
            TensorImpl zero = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, source, 0));
            TensorImpl zeros;
            try (Temps u = new Temps()) {
                TensorImpl none = u.own(Factories.zerosLike(x));
                TensorImpl ones = u.own(Copies.to(zero, x.device(), x.dtype()));
                TensorImpl met = u.own(Scatters.scatterAdd(none, d, index, ones));
                zeros = t.own(Lookup.gather(met, d, index));
            }
            TensorImpl onlyZero;
            try (Temps u = new Temps()) {
                TensorImpl one = u.own(Elementwise.compare(ElementOp.EQ_SCALAR, zeros, 1));
                onlyZero = t.own(Launch.binary(ElementOp.AND, zero, one, DType.BOOL));
            }
            TensorImpl without = t.own(Selection.maskedFill(source, onlyZero, 1));
            TensorImpl product = t.own(of(x, d, index, without, "prod"));
            TensorImpl given;
            try (Temps u = new Temps()) {
                TensorImpl divisor = u.own(Selection.maskedFill(source, zero, 1));
                TensorImpl weighted = u.own(Elementwise.mul(g, n.saved(3)));
                TensorImpl at = u.own(Lookup.gather(weighted, d, index));
                TensorImpl usual = u.own(Elementwise.div(at, divisor));
                TensorImpl ofProduct = u.own(Elementwise.mul(g, product));
                TensorImpl there = u.own(Lookup.gather(ofProduct, d, index));
                given = t.own(Selection.where(onlyZero, there, usual));
                u.free(there);
                u.free(ofProduct);
            }
            return t.give(n.wants(0) ? self : null, n.wants(1) ? given : null);
        }
    }

    private static TensorImpl[] ofExtreme(Node n, TensorImpl g, int d) {
        TensorImpl x = n.saved(0);
        TensorImpl source = n.saved(1);
        TensorImpl index = n.saved(2);
        TensorImpl result = n.saved(3);
        try (Temps t = new Temps()) {
            TensorImpl value = t.own(Lookup.gather(result, d, index));
            TensorImpl isSelf = t.own(equal(x, result));
            TensorImpl isSource = t.own(equal(source, value));
            TensorImpl many = t.own(Scatters.scatterAdd(isSelf, d, index, isSource));
            TensorImpl share = t.own(Elementwise.div(g, many));
            TensorImpl self = t.own(where(share, isSelf));
            TensorImpl given;
            try (Temps u = new Temps()) {
                given = t.own(where(u.own(Lookup.gather(share, d, index)), isSource));
            }
            return t.give(n.wants(0) ? self : null, n.wants(1) ? given : null);
        }
    }

    /** 1 where two are equal, else 0, in the first's dtype. */
    private static TensorImpl equal(TensorImpl a, TensorImpl b) {
        try (Temps t = new Temps()) {
            return Copies.to(t.own(Elementwise.compare(ElementOp.EQ, a, b)), a.device(), a.dtype());
        }
    }

    /** a where those are not 0, else 0. */
    private static TensorImpl where(TensorImpl a, TensorImpl ones) {
        try (Temps t = new Temps()) {
            return Selection.maskedFill(a, t.own(Elementwise.compare(ElementOp.EQ_SCALAR, ones, 0)), 0);
        }
    }
}
