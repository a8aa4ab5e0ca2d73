package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.TensorException;

/** Limits, of dtypes and of elements. */
public final class Bounds {

    private Bounds() {
    }

    /** The largest number of a floating dtype. */
    public static double largest(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> 65_504;
            case BFLOAT16 -> 0x1.FEp127;
            case FLOAT64 -> Double.MAX_VALUE;
            default -> Float.MAX_VALUE;
        };
    }

    /** Between two tensors, either of them null. */
    public static TensorImpl clamp(TensorImpl a, TensorImpl min, TensorImpl max) {
        if (min == null && max == null) {
            throw new TensorException("At least one of 'min' or 'max' must not be None.");
        }
        if (min == null || max == null) {
            return oneSided(a, min == null ? max : min, min != null);
        }
        DType dtype = Promotion.of(Promotion.of(a, min), max.dtype());
        TensorImpl out = Launch.nary(ElementOp.CLAMP_TENSOR, dtype, Launch.NONE, a, min, max);
        if (Graph.wanted(a, min, max)) {
            Node node = Graph.record("ClampBackward0", out, Bounds::backward, a, min, max);
            node.save(Graph.input(node, a), Graph.input(node, min), Graph.input(node, max));
        }
        return out;
    }

    private static TensorImpl oneSided(TensorImpl a, TensorImpl bound, boolean isMin) {
        return isMin ? Elementwise.maximum(a, bound) : Elementwise.minimum(a, bound);
    }

    private static TensorImpl[] backward(Node n, TensorImpl g) {
        TensorImpl x = n.saved(0);
        TensorImpl min = n.saved(1);
        TensorImpl max = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl self = null;
            TensorImpl low = null;
            TensorImpl high = null;
            if (n.wants(1) || n.wants(2)) {
                try (Temps u = new Temps()) {
                    TensorImpl zero = u.own(Factories.full(g.device(), g.dtype(), 0));
                    if (n.wants(1)) {
                        low = t.own(chosen(g, zero, min, max, ElementOp.LT, x, min, ElementOp.LT));
                    }
                    if (n.wants(2)) {
                        high = t.own(chosen(g, zero, x, max, ElementOp.GT, max, min, ElementOp.LT));
                    }
                }
            }
            if (n.wants(0)) {
                self = t.own(kept(g, x, min, ElementOp.GE, x, max, ElementOp.LE));
            }
            return t.give(self, low, high);
        }
    }

    private static TensorImpl kept(TensorImpl g, TensorImpl a, TensorImpl b, ElementOp first, TensorImpl c,
            TensorImpl d,
            ElementOp second) {
        try (Temps t = new Temps()) {
            TensorImpl zero = t.own(Factories.full(g.device(), g.dtype(), 0));
            TensorImpl one = t.own(Elementwise.compare(first, a, b));
            TensorImpl other = t.own(Elementwise.compare(second, c, d));
            Launch.into(ElementOp.AND, Launch.NONE, one, one, other);
            return Selection.where(one, g, zero);
        }
    }

    /** Where the first holds and the second does too (for the lower bound) or instead (for the upper). */
    private static TensorImpl chosen(TensorImpl g, TensorImpl zero, TensorImpl a, TensorImpl b, ElementOp first,
            TensorImpl c, TensorImpl d, ElementOp second) {
        try (Temps t = new Temps()) {
            TensorImpl one = t.own(Elementwise.compare(first, a, b));
            TensorImpl other = t.own(Elementwise.compare(second, c, d));
            Launch.into(first == ElementOp.GT ? ElementOp.OR : ElementOp.AND, Launch.NONE, one, one, other);
            return Selection.where(one, g, zero);
        }
    }

    /** Rounded to so many decimals. */
    public static TensorImpl round(TensorImpl a, int decimals) {
        double factor = Math.pow(10, decimals);
        TensorImpl out = Launch.unary(ElementOp.MUL_SCALAR, a, a.dtype(), factor);
        try (Temps t = new Temps()) {
            t.own(out);
            Launch.into(ElementOp.ROUND, Launch.NONE, out, out);
            Launch.into(ElementOp.DIV_SCALAR, new double[]{factor}, out, out);
            t.give(out);
        }
        if (Graph.wanted(a)) {
            Graph.recordUnary("RoundBackward1", out, a, (n, g) -> Factories.zerosLike(g));
        }
        return out;
    }
}
