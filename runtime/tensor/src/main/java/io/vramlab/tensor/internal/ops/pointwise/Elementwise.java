package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;

/**
 * Arithmetic with broadcasting. Backward formulas are PyTorch's, temporaries included; gradients are computed in the
 * alphabetical order of PyTorch's argument names (other before self), because that is the order of its generated code.
 */
public final class Elementwise {

    private Elementwise() {
    }

    public static TensorImpl add(TensorImpl a, TensorImpl b, double alpha) {
        if (a.isSparse() || b.isSparse()) {
            return SparseSums.add(a, b, alpha);
        }
        TensorImpl out = Launch.binary(ElementOp.ADD, a, b, Promotion.of(a, b), alpha);
        if (Graph.wanted(a, b)) {
            Graph.record("AddBackward0", out, (n, g) -> new TensorImpl[]{n.wants(0) ? g.retain() : null,
                    n.wants(1) ? alpha == 1 ? g.retain() : mul(g, alpha, false) : null}, a, b);
        }
        return out;
    }

    public static TensorImpl add(TensorImpl a, double value, boolean whole) {
        TensorImpl out = Launch.unary(ElementOp.ADD_SCALAR, a, Promotion.withScalar(a.dtype(), value, whole), value);
        if (Graph.wanted(a)) {
            Graph.recordUnary("AddBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    public static TensorImpl sub(TensorImpl a, TensorImpl b, double alpha) {
        if (a.isSparse() || b.isSparse()) {
            return SparseSums.add(a, b, -alpha);
        }
        TensorImpl out = Launch.binary(ElementOp.SUB, a, b, Promotion.of(a, b), alpha);
        if (Graph.wanted(a, b)) {
            Graph.record("SubBackward0", out, (n, g) -> {
                TensorImpl other = n.wants(1) ? opposite(g, alpha) : null;
                return new TensorImpl[]{n.wants(0) ? g.retain() : null, other};
            }, a, b);
        }
        return out;
    }

    private static TensorImpl opposite(TensorImpl g, double alpha) {
        if (alpha == 1) {
            return Pointwise.neg(g);
        }
        try (Temps t = new Temps()) {
            return mul(t.own(Pointwise.neg(g)), alpha, false);
        }
    }

    /** a - value: the addition of its opposite, which for a zero keeps the sign of a zero in {@code a}. */
    public static TensorImpl sub(TensorImpl a, double value, boolean whole) {
        TensorImpl out = Launch.unary(ElementOp.ADD_SCALAR, a, Promotion.withScalar(a.dtype(), -value, whole), -value);
        if (Graph.wanted(a)) {
            Graph.recordUnary("SubBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    /** value - a. */
    public static TensorImpl rsub(TensorImpl a, double value, boolean whole) {
        TensorImpl out = Launch.unary(ElementOp.RSUB_SCALAR, a, Promotion.withScalar(a.dtype(), value, whole), value);
        if (Graph.wanted(a)) {
            Graph.recordUnary("RsubBackward1", out, a, (n, g) -> Pointwise.neg(g));
        }
        return out;
    }

    public static TensorImpl mul(TensorImpl a, TensorImpl b) {
        Graph.announceFactors(b, a);
        TensorImpl out = Launch.binary(ElementOp.MUL, a, b, Promotion.of(a, b));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("MulBackward0", out, Elementwise::mulBackward, a, b);
            // PyTorch lets the second factor go first
            node.save(Graph.inputIf(node.wants(0), node, b), Graph.inputIf(node.wants(1), node, a));
        }
        return out;
    }

    private static TensorImpl[] mulBackward(Node n, TensorImpl g) {
        try (Temps t = new Temps()) {
            TensorImpl other = n.wants(1) ? t.own(mul(g, n.saved(1))) : null;
            TensorImpl self = n.wants(0) ? t.own(mul(g, n.saved(0))) : null;
            return t.give(self, other);
        }
    }

    public static TensorImpl mul(TensorImpl a, double value, boolean whole) {
        if (a.isSparse()) {
            return SparseSums.scaled(a, value);
        }
        TensorImpl out = Launch.unary(ElementOp.MUL_SCALAR, a, Promotion.withScalar(a.dtype(), value, whole), value);
        if (Graph.wanted(a)) {
            Graph.recordUnary("MulBackward0", out, a, (n, g) -> mul(g, value, false));
        }
        return out;
    }

    public static TensorImpl div(TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(ElementOp.DIV, a, b, Promotion.floating(Promotion.of(a, b)));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("DivBackward0", out, Elementwise::divBackward, a, b);
            node.save(Graph.inputIf(node.wants(1), node, a), Graph.input(node, b));
        }
        return out;
    }

    static TensorImpl[] divBackward(Node n, TensorImpl g) {
        try (Temps results = new Temps()) {
            TensorImpl other = null;
            if (n.wants(1)) {
                try (Temps t = new Temps()) {
                    TensorImpl quotient = t.own(div(n.saved(0), n.saved(1)));
                    TensorImpl square = t.own(div(quotient, n.saved(1)));
                    TensorImpl negative = t.own(Pointwise.neg(g));
                    other = results.own(mul(negative, square));
                }
            }
            TensorImpl self = n.wants(0) ? results.own(div(g, n.saved(1))) : null;
            return results.give(self, other);
        }
    }

    public static TensorImpl div(TensorImpl a, double value) {
        TensorImpl out = Launch.unary(ElementOp.DIV_SCALAR, a, Promotion.floating(a.dtype()), value);
        if (Graph.wanted(a)) {
            Graph.recordUnary("DivBackward0", out, a, (n, g) -> div(g, value));
        }
        return out;
    }

    /** value / a: PyTorch computes reciprocal, then product. */
    public static TensorImpl rdiv(TensorImpl a, double value) {
        TensorImpl inverse = Pointwise.reciprocal(a);
        try {
            return mul(inverse, value, false);
        } finally {
            inverse.release();
        }
    }

    public static TensorImpl maximum(TensorImpl a, TensorImpl b) {
        return extremum(ElementOp.MAXIMUM, ElementOp.GT, ElementOp.LT, a, b);
    }

    public static TensorImpl minimum(TensorImpl a, TensorImpl b) {
        return extremum(ElementOp.MINIMUM, ElementOp.LT, ElementOp.GT, a, b);
    }

    private static TensorImpl extremum(ElementOp op, ElementOp wins, ElementOp loses, TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(op, a, b, Promotion.of(a, b));
        if (Graph.wanted(a, b)) {
            String name = op == ElementOp.MAXIMUM ? "MaximumBackward0" : "MinimumBackward0";
            Node node = Graph.record(name, out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(half(g, n.saved(0), n.saved(1), wins)) : null;
                    TensorImpl self = n.wants(0) ? t.own(half(g, n.saved(0), n.saved(1), loses)) : null;
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b));
        }
        return out;
    }

    /** The gradient, halved at ties, zero where the other argument won. */
    private static TensorImpl half(TensorImpl g, TensorImpl a, TensorImpl b, ElementOp lost) {
        try (Temps t = new Temps()) {
            TensorImpl halved = t.own(div(g, 2));
            TensorImpl ties = t.own(Launch.binary(ElementOp.EQ, a, b, DType.BOOL));
            TensorImpl shared = t.own(Selection.where(ties, halved, g));
            TensorImpl mask = t.own(Launch.binary(lost, a, b, DType.BOOL));
            InPlace.maskedFill(shared, mask, 0);
            return t.give(shared);
        }
    }

    public static TensorImpl pow(TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(ElementOp.POW, a, b, Promotion.of(a, b));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("PowBackward1", out, Elementwise::powBackward, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b), Graph.resultIf(node.wants(1), node, out));
        }
        return out;
    }

    private static TensorImpl[] powBackward(Node n, TensorImpl g) {
        try (Temps t = new Temps()) {
            TensorImpl exponent = n.wants(1) ? t.own(powExponent(n, g)) : null;
            TensorImpl self = n.wants(0) ? t.own(powBase(n, g)) : null;
            return t.give(self, exponent);
        }
    }

    private static TensorImpl powExponent(Node n, TensorImpl g) {
        TensorImpl a = n.saved(0);
        try (Temps t = new Temps()) {
            TensorImpl flat = t.own(zeroBase(a, n.saved(1)));
            TensorImpl log = t.own(Pointwise.log(a));
            TensorImpl slope = t.own(mul(n.saved(2), log));
            TensorImpl zero = t.own(Factories.full(g.device(), g.dtype(), 0));
            TensorImpl chosen = t.own(Selection.where(flat, zero, slope));
            return mul(g, chosen);
        }
    }

    /** Where the base is zero and the exponent is not negative: the logarithm is no help there. */
    private static TensorImpl zeroBase(TensorImpl a, TensorImpl b) {
        try (Temps t = new Temps()) {
            TensorImpl notNegative = t.own(Launch.unary(ElementOp.GE_SCALAR, b, DType.BOOL, 0));
            TensorImpl zero = t.own(Launch.unary(ElementOp.EQ_SCALAR, a, DType.BOOL, 0));
            return Launch.binary(ElementOp.AND, zero, notNegative, DType.BOOL);
        }
    }

    private static TensorImpl powBase(Node n, TensorImpl g) {
        TensorImpl b = n.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl less = t.own(add(b, -1, true));
            TensorImpl power = t.own(pow(n.saved(0), less));
            TensorImpl slope = t.own(mul(b, power));
            TensorImpl raw = t.own(mul(g, slope));
            TensorImpl zero = t.own(Factories.full(g.device(), g.dtype(), 0));
            TensorImpl constant = t.own(Launch.unary(ElementOp.EQ_SCALAR, b, DType.BOOL, 0));
            return Selection.where(constant, zero, raw);
        }
    }

    public static TensorImpl compare(ElementOp op, TensorImpl a, TensorImpl b) {
        return Launch.binary(op, a, b, DType.BOOL);
    }

    public static TensorImpl compare(ElementOp op, TensorImpl a, double value) {
        return Launch.unary(op, a, DType.BOOL, rounded(a.dtype(), value));
    }

    /** A number beside a tensor has the tensor's dtype, also where it is compared. */
    private static double rounded(DType dtype, double value) {
        return switch (dtype) {
            case FLOAT32 -> (float) value;
            case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
            case BFLOAT16 -> bfloat16((float) value);
            default -> value;
        };
    }

    private static double bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return Float.isNaN(value) ? value : Float.intBitsToFloat(bits + 0x7fff + (bits >> 16 & 1) & 0xffff0000);
    }
}
