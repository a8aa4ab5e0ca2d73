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
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Choosing elements by a condition: where, masked fill, clamp, triangles. */
public final class Selection {

    private Selection() {
    }

    public static TensorImpl where(TensorImpl condition, TensorImpl a, TensorImpl b) {
        requireBool(condition, "where");
        TensorImpl out = Launch.nary(ElementOp.WHERE, Promotion.of(a, b), Launch.NONE, condition, a, b);
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("WhereBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(2) ? t.own(keep(n.saved(0), g, false)) : null;
                    TensorImpl self = n.wants(1) ? t.own(keep(n.saved(0), g, true)) : null;
                    return t.give(null, self, other);
                }
            }, null, a, b);
            node.save(Graph.input(node, condition));
        }
        return out;
    }

    /** The gradient where the condition has that truth value, zero elsewhere; the zero is a tensor, as in PyTorch. */
    private static TensorImpl keep(TensorImpl condition, TensorImpl g, boolean whenTrue) {
        try (Temps t = new Temps()) {
            TensorImpl zero = t.own(Factories.full(g.device(), g.dtype(), 0));
            return whenTrue ? where(condition, g, zero) : where(condition, zero, g);
        }
    }

    /** Numbers are on the device for the while. */
    public static TensorImpl where(TensorImpl condition, TensorImpl a, double b) {
        try (Temps t = new Temps()) {
            return where(condition, a, t.own(Factories.full(a.device(), a.dtype(), b)));
        }
    }

    public static TensorImpl where(TensorImpl condition, double a, TensorImpl b) {
        try (Temps t = new Temps()) {
            return where(condition, t.own(Factories.full(b.device(), b.dtype(), a)), b);
        }
    }

    public static TensorImpl where(TensorImpl condition, double a, double b) {
        try (Temps t = new Temps()) {
            TensorImpl first = t.own(Factories.full(condition.device(), DType.FLOAT32, a));
            return where(condition, first, t.own(Factories.full(condition.device(), DType.FLOAT32, b)));
        }
    }

    public static TensorImpl maskedFill(TensorImpl a, TensorImpl mask, double value) {
        requireBool(mask, "maskedFill");
        // PyTorch clones into a contiguous tensor and fills that
        TensorImpl out = Launch.contiguous(ElementOp.MASKED_FILL, a.dtype(), new double[]{value}, a, mask);
        if (Graph.wanted(a)) {
            Node node = Graph.record("MaskedFillBackward0", out,
                    (n, g) -> new TensorImpl[]{maskedFill(g, n.saved(0), 0)}, a);
            node.save(Graph.input(node, mask));
        }
        return out;
    }

    public static TensorImpl clamp(TensorImpl a, double min, double max) {
        TensorImpl out = Launch.unary(ElementOp.CLAMP, a, a.dtype(), min, max);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("ClampBackward1", out, a, (n, g) -> clampBackward(n.saved(0), g, min, max));
            node.save(Graph.input(node, a));
        }
        return out;
    }

    /** The gradient where the input lay within the bounds. */
    static TensorImpl clampBackward(TensorImpl x, TensorImpl g, double min, double max) {
        try (Temps t = new Temps()) {
            TensorImpl zero = t.own(Factories.full(g.device(), g.dtype(), 0));
            TensorImpl inside = bounds(t, x, min, max);
            return where(inside, g, zero);
        }
    }

    /** Where x lies within the bounds; the second comparison lives as long as the first, as in PyTorch's expression. */
    private static TensorImpl bounds(Temps t, TensorImpl x, double min, double max) {
        if (min == Double.NEGATIVE_INFINITY) {
            return t.own(Elementwise.compare(ElementOp.LE_SCALAR, x, max));
        }
        TensorImpl low = t.own(Elementwise.compare(ElementOp.GE_SCALAR, x, min));
        if (max != Double.POSITIVE_INFINITY) {
            TensorImpl high = t.own(Elementwise.compare(ElementOp.LE_SCALAR, x, max));
            Launch.into(ElementOp.AND, Launch.NONE, low, low, high);
        }
        return low;
    }

    public static TensorImpl triangle(TensorImpl a, boolean upper, long diagonal) {
        if (a.rank() < 2) {
            throw new TensorException("triu or tril was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it needs at least two dimensions.");
        }
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), a.shape());
        try {
            a.driver().kernels().triangle(out.operand(), a.operand(), upper, diagonal, a.stream());
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
        if (Graph.wanted(a)) {
            Graph.recordUnary(upper ? "TriuBackward0" : "TrilBackward0", out, a,
                    (n, g) -> triangle(g, upper, diagonal));
        }
        return out;
    }

    private static void requireBool(TensorImpl t, String what) {
        if (t.dtype() != DType.BOOL) {
            throw new TensorException(what + " was given a condition of dtype " + t.dtype()
                    + ", but it must be bool: make one with a comparison, such as x.gt(0).");
        }
    }
}
