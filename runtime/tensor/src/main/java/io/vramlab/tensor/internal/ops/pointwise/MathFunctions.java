package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise.Saves;
import io.vramlab.tensor.type.AutogradException;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Functions of mathematics beyond the common ones of {@link Pointwise}; gradients are PyTorch's formulas. */
public final class MathFunctions {

    private MathFunctions() {
    }

    private static TensorImpl of(ElementOp op, TensorImpl a, boolean savesResult,
            BiFunction<Node, TensorImpl, TensorImpl> formula) {
        String name = op.name().charAt(0) + op.name().substring(1).toLowerCase() + "Backward0";
        return Pointwise.apply(op, name, a, savesResult ? Saves.RESULT : Saves.INPUT, formula);
    }

    /** The gradient times a function of the input. */
    private static TensorImpl chain(ElementOp op, TensorImpl a, UnaryOperator<TensorImpl> slope) {
        return of(op, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(slope.apply(n.saved(0))));
            }
        });
    }

    public static TensorImpl tan(TensorImpl a) {
        return of(ElementOp.TAN, a, true, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(Pointwise.pow(n.saved(0), 2));
                return Elementwise.mul(g, t.own(Elementwise.add(square, 1, true)));
            }
        });
    }

    public static TensorImpl sinh(TensorImpl a) {
        return chain(ElementOp.SINH, a, MathFunctions::cosh);
    }

    public static TensorImpl cosh(TensorImpl a) {
        return chain(ElementOp.COSH, a, MathFunctions::sinh);
    }

    /** 1 / sqrt(1 - x^2). */
    private static TensorImpl arc(Temps t, TensorImpl x) {
        TensorImpl negative = t.own(Pointwise.neg(x));
        TensorImpl square = t.own(Elementwise.mul(negative, x));
        TensorImpl rest = t.own(Elementwise.add(square, 1, true));
        return t.own(Pointwise.rsqrt(rest));
    }

    public static TensorImpl asin(TensorImpl a) {
        return of(ElementOp.ASIN, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, arc(t, n.saved(0)));
            }
        });
    }

    public static TensorImpl acos(TensorImpl a) {
        return of(ElementOp.ACOS, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(Pointwise.neg(arc(t, n.saved(0)))));
            }
        });
    }

    public static TensorImpl atan(TensorImpl a) {
        return of(ElementOp.ATAN, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(Elementwise.mul(n.saved(0), n.saved(0)));
                return Elementwise.div(g, t.own(Elementwise.add(square, 1, true)));
            }
        });
    }

    /** 1 / sqrt(x^2 + shift). */
    private static TensorImpl area(ElementOp op, TensorImpl a, double shift) {
        return of(op, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(Pointwise.pow(n.saved(0), 2));
                TensorImpl moved = t.own(Elementwise.add(square, shift, true));
                return Elementwise.mul(g, t.own(Pointwise.rsqrt(moved)));
            }
        });
    }

    public static TensorImpl asinh(TensorImpl a) {
        return area(ElementOp.ASINH, a, 1);
    }

    public static TensorImpl acosh(TensorImpl a) {
        return area(ElementOp.ACOSH, a, -1);
    }

    public static TensorImpl atanh(TensorImpl a) {
        return of(ElementOp.ATANH, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(Pointwise.pow(n.saved(0), 2));
                TensorImpl rest = t.own(Elementwise.rsub(square, 1, true));
                TensorImpl one = t.own(Elementwise.mul(g, 1, true));
                return Elementwise.div(one, rest);
            }
        });
    }

    public static TensorImpl exp2(TensorImpl a) {
        return of(ElementOp.EXP2, a, true, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl product = t.own(Elementwise.mul(g, n.saved(0)));
                return Elementwise.mul(product, Math.log(2), false);
            }
        });
    }

    public static TensorImpl expm1(TensorImpl a) {
        return of(ElementOp.EXPM1, a, true, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(Elementwise.add(n.saved(0), 1, true)));
            }
        });
    }

    public static TensorImpl erfc(TensorImpl a) {
        double slope = -2 / Math.sqrt(Math.PI);
        return of(ElementOp.ERFC, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(Pointwise.pow(n.saved(0), 2));
                TensorImpl negative = t.own(Pointwise.neg(square));
                TensorImpl power = t.own(Pointwise.exp(negative));
                TensorImpl scaled = t.own(Elementwise.mul(power, slope, false));
                return Elementwise.mul(scaled, g);
            }
        });
    }

    public static TensorImpl log2(TensorImpl a) {
        return logarithm(ElementOp.LOG2, a, Math.log(2));
    }

    public static TensorImpl log10(TensorImpl a) {
        return logarithm(ElementOp.LOG10, a, Math.log(10));
    }

    private static TensorImpl logarithm(ElementOp op, TensorImpl a, double base) {
        return of(op, a, false, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.div(g, t.own(Elementwise.mul(n.saved(0), base, false)));
            }
        });
    }

    public static TensorImpl trunc(TensorImpl a) {
        return Pointwise.step(ElementOp.TRUNC, a);
    }

    public static TensorImpl frac(TensorImpl a) {
        TensorImpl out = Launch.unary(ElementOp.FRAC, a, a.dtype());
        if (Graph.wanted(a)) {
            Graph.recordUnary("FracBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    /** a log(b), 0 where a is 0. */
    public static TensorImpl xlogy(TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(ElementOp.XLOGY, a, b, Promotion.floating(Promotion.of(a, b)));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("XlogyBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(ratio(g, n.saved(0), n.saved(1))) : null;
                    TensorImpl self = n.wants(0) ? t.own(maskedLog(g, n.saved(0), n.saved(1))) : null;
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b));
        }
        return out;
    }

    private static TensorImpl ratio(TensorImpl g, TensorImpl a, TensorImpl b) {
        try (Temps t = new Temps()) {
            return Elementwise.div(t.own(Elementwise.mul(g, a)), b);
        }
    }

    private static TensorImpl maskedLog(TensorImpl g, TensorImpl a, TensorImpl b) {
        try (Temps t = new Temps()) {
            TensorImpl log = t.own(Launch.binary(ElementOp.XLOGY, g, b, g.dtype()));
            TensorImpl zero = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, a, 0));
            TensorImpl below = t.own(Elementwise.compare(ElementOp.LE_SCALAR, b, 0));
            TensorImpl both = t.own(Launch.binary(ElementOp.AND, zero, below, DType.BOOL));
            return Selection.maskedFill(log, both, 0);
        }
    }

    /** The angle of the point (b, a). */
    public static TensorImpl atan2(TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(ElementOp.ATAN2, a, b, Promotion.floating(Promotion.of(a, b)));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("Atan2Backward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl x = n.saved(0);
                    TensorImpl y = n.saved(1);
                    TensorImpl sum;
                    try (Temps u = new Temps()) {
                        TensorImpl squares = u.own(Elementwise.mul(x, x));
                        sum = t.own(Elementwise.add(squares, u.own(Elementwise.mul(y, y)), 1));
                    }
                    TensorImpl inverse = t.own(Pointwise.reciprocal(sum));
                    try (Temps u = new Temps()) {
                        TensorImpl zero = u.own(Elementwise.compare(ElementOp.EQ_SCALAR, sum, 0));
                        // the reciprocal keeps its result: where that has a gradient itself, it is not written to
                        if (GradMode.isEnabled()) {
                            inverse = t.own(Selection.maskedFill(inverse, zero, 0));
                        } else {
                            InPlace.maskedFill(inverse, zero, 0);
                        }
                    }
                    TensorImpl self = n.wants(0)
                            ? t.own(Elementwise.mul(t.own(Elementwise.mul(g, y)), inverse))
                            : null;
                    TensorImpl other = null;
                    if (n.wants(1)) {
                        TensorImpl negative = t.own(Pointwise.neg(x));
                        other = t.own(Elementwise.mul(t.own(Elementwise.mul(g, negative)), inverse));
                    }
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b));
        }
        return out;
    }

    /** Remainder of a / value: with the sign of a (fmod), or of the value (remainder). */
    public static TensorImpl remainder(TensorImpl a, double value, boolean whole, boolean signOfValue) {
        ElementOp op = signOfValue ? ElementOp.REMAINDER_SCALAR : ElementOp.FMOD_SCALAR;
        TensorImpl out = Launch.unary(op, a, Promotion.withScalar(a.dtype(), value, whole), value);
        if (Graph.wanted(a)) {
            Graph.recordUnary(signOfValue ? "RemainderBackward0" : "FmodBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    /** Remainder of a / b, as {@link #remainder(TensorImpl, double, boolean, boolean)}. */
    public static TensorImpl remainder(TensorImpl a, TensorImpl b, boolean signOfValue) {
        ElementOp op = signOfValue ? ElementOp.REMAINDER : ElementOp.FMOD;
        TensorImpl out = Launch.binary(op, a, b, Promotion.of(a, b));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record(signOfValue ? "RemainderBackward1" : "FmodBackward1", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = null;
                    if (n.wants(1)) {
                        TensorImpl negative = t.own(Pointwise.neg(g));
                        TensorImpl quotient = t.own(Launch.binary(ElementOp.DIV, n.saved(0), n.saved(1), g.dtype()));
                        Launch.into(signOfValue ? ElementOp.FLOOR : ElementOp.TRUNC, Launch.NONE, quotient, quotient);
                        other = t.own(Elementwise.mul(negative, quotient));
                    }
                    TensorImpl self = n.wants(0) ? g.retain() : null;
                    return new TensorImpl[]{self, other == null ? null : t.give(other)};
                }
            }, a, b);
            node.save(Graph.inputIf(node.wants(1), node, a), Graph.inputIf(node.wants(1), node, b));
        }
        return out;
    }

    /** a + weight (b - a). */
    public static TensorImpl lerp(TensorImpl a, TensorImpl b, double weight) {
        TensorImpl out = Launch.binary(ElementOp.LERP, a, b, Promotion.of(a, b), weight);
        if (Graph.wanted(a, b)) {
            Graph.record("LerpBackward0", out, (n, g) -> lerpBackward(n, g, weight), a, b);
        }
        return out;
    }

    static TensorImpl[] lerpBackward(Node n, TensorImpl g, double weight) {
        try (Temps t = new Temps()) {
            TensorImpl end = n.wants(1) ? t.own(Elementwise.mul(g, weight, false)) : null;
            TensorImpl self = n.wants(0) ? t.own(Elementwise.mul(g, 1 - weight, false)) : null;
            return t.give(self, end);
        }
    }

    /** a + weight (b - a), the weight a tensor. */
    public static TensorImpl lerp(TensorImpl a, TensorImpl b, TensorImpl weight) {
        TensorImpl out = Launch.nary(ElementOp.LERP_TENSOR, Promotion.of(a, b), Launch.NONE, a, b, weight);
        if (Graph.wanted(a, b, weight)) {
            Node node = Graph.record("LerpBackward1", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl end = n.wants(1) ? t.own(Elementwise.mul(g, n.saved(2))) : null;
                    TensorImpl self = n.wants(0) ? t.own(rest(g, n.saved(2))) : null;
                    TensorImpl share = n.wants(2) ? t.own(distance(g, n.saved(0), n.saved(1))) : null;
                    return t.give(self, end, share);
                }
            }, a, b, weight);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(2), node, b),
                    Graph.input(node, weight));
        }
        return out;
    }

    private static TensorImpl rest(TensorImpl g, TensorImpl weight) {
        try (Temps t = new Temps()) {
            return Elementwise.mul(g, t.own(Elementwise.rsub(weight, 1, true)));
        }
    }

    private static TensorImpl distance(TensorImpl g, TensorImpl a, TensorImpl b) {
        try (Temps t = new Temps()) {
            return Elementwise.mul(g, t.own(Elementwise.sub(b, a, 1)));
        }
    }

    /** a + value b c. */
    public static TensorImpl addcmul(TensorImpl a, TensorImpl b, TensorImpl c, double value) {
        DType dtype = Promotion.of(Promotion.of(a, b), c.dtype());
        TensorImpl out = Launch.nary(ElementOp.ADDCMUL, dtype, new double[]{value}, a, b, c);
        if (Graph.wanted(a, b, c)) {
            addcmulNode(Graph.record("AddcmulBackward0", out, (n, g) -> addcmulBackward(n, g, value), a, b, c), b, c);
        }
        return out;
    }

    static Node addcmulNode(Node node, TensorImpl b, TensorImpl c) {
        node.save(Graph.inputIf(node.wants(2), node, b), Graph.inputIf(node.wants(1), node, c));
        return node;
    }

    static TensorImpl[] addcmulBackward(Node n, TensorImpl g, double value) {
        try (Temps t = new Temps()) {
            TensorImpl first = n.wants(1) ? t.own(scaled(g, n.saved(1), value)) : null;
            TensorImpl second = n.wants(2) ? t.own(scaled(g, n.saved(0), value)) : null;
            return new TensorImpl[]{n.wants(0) ? g.retain() : null, t.give(first), t.give(second)};
        }
    }

    private static TensorImpl scaled(TensorImpl g, TensorImpl other, double value) {
        try (Temps t = new Temps()) {
            return Elementwise.mul(g, t.own(Elementwise.mul(other, value, false)));
        }
    }

    /** a + value b / c. */
    public static TensorImpl addcdiv(TensorImpl a, TensorImpl b, TensorImpl c, double value) {
        DType dtype = Promotion.of(Promotion.of(a, b), c.dtype());
        TensorImpl out = Launch.nary(ElementOp.ADDCDIV, dtype, new double[]{value}, a, b, c);
        if (Graph.wanted(a, b, c)) {
            addcdivNode(Graph.record("AddcdivBackward0", out, (n, g) -> addcdivBackward(n, g, value), a, b, c), b, c);
        }
        return out;
    }

    static Node addcdivNode(Node node, TensorImpl b, TensorImpl c) {
        node.save(Graph.inputIf(node.wants(2), node, b), Graph.input(node, c));
        return node;
    }

    static TensorImpl[] addcdivBackward(Node n, TensorImpl g, double value) {
        try (Temps t = new Temps()) {
            TensorImpl first = n.wants(1) ? t.own(quotient(g, n.saved(1), value)) : null;
            TensorImpl second = n.wants(2) ? t.own(divisor(g, n.saved(0), n.saved(1), value)) : null;
            return new TensorImpl[]{n.wants(0) ? g.retain() : null, t.give(first), t.give(second)};
        }
    }

    private static TensorImpl quotient(TensorImpl g, TensorImpl c, double value) {
        try (Temps t = new Temps()) {
            TensorImpl inverse = t.own(Pointwise.reciprocal(c));
            if (GradMode.isEnabled()) {
                return Elementwise.mul(g, t.own(Elementwise.mul(inverse, value, false)));
            }
            InPlace.mul(inverse, value);
            return Elementwise.mul(g, inverse);
        }
    }

    private static TensorImpl divisor(TensorImpl g, TensorImpl b, TensorImpl c, double value) {
        try (Temps t = new Temps()) {
            TensorImpl negative = t.own(Pointwise.neg(g));
            TensorImpl scaled = t.own(Elementwise.mul(b, value, false));
            TensorImpl square = t.own(Elementwise.mul(c, c));
            TensorImpl ratio = t.own(Elementwise.div(scaled, square));
            return Elementwise.mul(negative, ratio);
        }
    }

    /** Rounded down; no gradient, as in PyTorch. */
    public static TensorImpl floorDivide(TensorImpl a, double value, boolean whole) {
        refuse("floor_divide", a);
        return Launch.unary(ElementOp.FLOOR_DIVIDE_SCALAR, a, Promotion.withScalar(a.dtype(), value, whole), value);
    }

    /** Rounded down; no gradient, as in PyTorch. */
    public static TensorImpl floorDivide(TensorImpl a, TensorImpl b) {
        refuse("floor_divide", a, b);
        return Launch.binary(ElementOp.FLOOR_DIVIDE, a, b, Promotion.of(a, b));
    }

    private static void refuse(String what, TensorImpl... inputs) {
        if (Graph.wanted(inputs)) {
            throw new AutogradException("derivative for aten::" + what
                    + " is not implemented: call it under NoGrad, or on detached tensors.");
        }
    }
}
