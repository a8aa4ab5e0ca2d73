package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise.Saves;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;
import java.util.function.BiFunction;

/** Functions of mathematics that fewer programs use; gradients are PyTorch's formulas (derivatives.yaml of 2.11). */
public final class SpecialFunctions {

    private static final double LOG_2 = Math.log(2);

    private SpecialFunctions() {
    }

    private static TensorImpl unary(ElementOp op, String name, TensorImpl a,
            BiFunction<Node, TensorImpl, TensorImpl> formula, double... scalars) {
        return Pointwise.apply(op, name, a, Saves.INPUT, formula, scalars);
    }

    /** The gradient times a function of the input. */
    private static TensorImpl chain(ElementOp op, String name, TensorImpl a, ElementOp slope) {
        return unary(op, name, a, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(Launch.unary(slope, n.saved(0), g.dtype())));
            }
        });
    }

    public static TensorImpl lgamma(TensorImpl a) {
        return chain(ElementOp.LGAMMA, "LgammaBackward0", a, ElementOp.DIGAMMA);
    }

    public static TensorImpl digamma(TensorImpl a) {
        return chain(ElementOp.DIGAMMA, "DigammaBackward0", a, ElementOp.TRIGAMMA);
    }

    public static TensorImpl i0(TensorImpl a) {
        return chain(ElementOp.I0, "I0Backward0", a, ElementOp.I1);
    }

    /** 0.5 sqrt(pi) exp(erfinv(x)^2) g. */
    public static TensorImpl erfinv(TensorImpl a) {
        return unary(ElementOp.ERF_INV, "ErfinvBackward0", a, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(Pointwise.pow(t.own(erfinv(n.saved(0))), 2));
                TensorImpl power = t.own(Pointwise.exp(square));
                TensorImpl scaled = t.own(Elementwise.mul(power, 0.5 * Math.sqrt(Math.PI), false));
                return Elementwise.mul(scaled, g);
            }
        });
    }

    /** (2 x erfcx(x) - 2 / sqrt(pi)) g, for float32 and float64 as PyTorch's kernel. */
    public static TensorImpl erfcx(TensorImpl a) {
        if (a.dtype() == DType.FLOAT16 || a.dtype() == DType.BFLOAT16) {
            throw new TensorException("erfcx was asked of a tensor of dtype " + a.dtype()
                    + ": it is implemented for float32 and float64 alone, as in PyTorch. Convert with to(FLOAT32).");
        }
        return Pointwise.apply(ElementOp.ERFCX, "SpecialErfcxBackward0", a, Saves.BOTH, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl twice = t.own(Elementwise.mul(n.saved(0), 2, false));
                TensorImpl product = t.own(Elementwise.mul(twice, n.saved(1)));
                TensorImpl slope = t.own(Elementwise.sub(product, 2 / Math.sqrt(Math.PI), false));
                return Elementwise.mul(slope, g);
            }
        });
    }

    /** g ((cos(pi x) pi x - sin(pi x)) / (pi x x)), 0 at 0. */
    public static TensorImpl sinc(TensorImpl a) {
        return unary(ElementOp.SINC, "SincBackward0", a, (n, g) -> {
            TensorImpl x = n.saved(0);
            try (Temps t = new Temps()) {
                TensorImpl angle = t.own(Elementwise.mul(x, Math.PI, false));
                TensorImpl square;
                try (Temps u = new Temps()) {
                    square = t.own(Elementwise.mul(u.own(Elementwise.mul(x, x)), Math.PI, false));
                }
                TensorImpl chosen;
                try (Temps u = new Temps()) {
                    TensorImpl cos = u.own(Pointwise.cos(angle));
                    TensorImpl first = u.own(Elementwise.mul(cos, angle));
                    TensorImpl sin = u.own(Pointwise.sin(angle));
                    TensorImpl top = u.own(Elementwise.sub(first, sin, 1));
                    TensorImpl ratio = u.own(Elementwise.div(top, square));
                    chosen = t.own(Elementwise.mul(g, ratio));
                }
                TensorImpl zero = t.own(Factories.full(g.device(), g.dtype(), 0));
                TensorImpl flat = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, square, 0));
                return Selection.where(flat, zero, chosen);
            }
        });
    }

    /** log(x / (1 - x)); eps below 0 means that nothing is limited. */
    public static TensorImpl logit(TensorImpl a, double eps) {
        return unary(ElementOp.LOGIT, "LogitBackward0", a,
                (n, g) -> Launch.binary(ElementOp.LOGIT_BACKWARD, g, n.saved(0), g.dtype(), eps), eps);
    }

    /** -x log(x). */
    public static TensorImpl entr(TensorImpl a) {
        return unary(ElementOp.ENTROPY, "SpecialEntrBackward0", a, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl log = t.own(Pointwise.log(n.saved(0)));
                TensorImpl negative = t.own(Pointwise.neg(log));
                TensorImpl slope = t.own(Elementwise.sub(negative, 1, true));
                return Elementwise.mul(g, slope);
            }
        });
    }

    /** Where NaN, 0; where infinite, the largest or the smallest number unless others are given. */
    public static TensorImpl nanToNum(TensorImpl a, double largest, double smallest) {
        TensorImpl out = Launch.unary(ElementOp.NAN_TO_NUM, a, a.dtype(), largest, smallest);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("NanToNumBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl bad;
                    try (Temps u = new Temps()) {
                        TensorImpl size = u.own(Pointwise.abs(n.saved(0)));
                        TensorImpl infinite = u.own(
                                Elementwise.compare(ElementOp.EQ_SCALAR, size, Double.POSITIVE_INFINITY));
                        TensorImpl nan = u.own(Elementwise.compare(ElementOp.NE, n.saved(0), n.saved(0)));
                        bad = t.own(Launch.binary(ElementOp.OR, infinite, nan, DType.BOOL));
                    }
                    return Selection.maskedFill(g, bad, 0);
                }
            });
            node.save(Graph.input(node, a));
        }
        return out;
    }

    public static TensorImpl heaviside(TensorImpl a, TensorImpl values) {
        if (Graph.wanted(a, values)) {
            throw new AutogradException(
                    "derivative for aten::heaviside is not implemented: call it under NoGrad, or on "
                            + "detached tensors.");
        }
        return Launch.binary(ElementOp.HEAVISIDE, a, values, Promotion.of(a, values));
    }

    /** The square root of a a + b b. */
    public static TensorImpl hypot(TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(ElementOp.HYPOT, a, b, Promotion.of(a, b));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("HypotBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(share(g, n.saved(1), n.saved(2))) : null;
                    TensorImpl self = n.wants(0) ? t.own(share(g, n.saved(0), n.saved(2))) : null;
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b), Graph.result(node, out));
        }
        return out;
    }

    private static TensorImpl share(TensorImpl g, TensorImpl side, TensorImpl whole) {
        try (Temps t = new Temps()) {
            return Elementwise.mul(g, t.own(Elementwise.div(side, whole)));
        }
    }

    /** log(exp(a) + exp(b)), or to the base 2. */
    public static TensorImpl logAddExp(TensorImpl a, TensorImpl b, boolean two) {
        TensorImpl out = Launch.binary(two ? ElementOp.LOG_ADD_EXP2 : ElementOp.LOG_ADD_EXP, a, b,
                Promotion.floating(Promotion.of(a, b)));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record(two ? "Logaddexp2Backward0" : "LogaddexpBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(exponential(g, n.saved(0), n.saved(1), two)) : null;
                    TensorImpl self = n.wants(0) ? t.own(exponential(g, n.saved(1), n.saved(0), two)) : null;
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b));
        }
        return out;
    }

    /** g / (1 + exp(other - side)). */
    private static TensorImpl exponential(TensorImpl g, TensorImpl other, TensorImpl side, boolean two) {
        try (Temps t = new Temps()) {
            TensorImpl difference = t.own(Elementwise.sub(other, side, 1));
            TensorImpl power = t.own(two ? powerOf(2, difference) : Pointwise.exp(difference));
            return Elementwise.div(g, t.own(Elementwise.add(power, 1, true)));
        }
    }

    /** base to the power a; PyTorch takes the base to the device as a number of 8 bytes for a while. */
    public static TensorImpl powerOf(double base, TensorImpl a) {
        TensorImpl out;
        try (Temps t = new Temps()) {
            TensorImpl power = TensorImpl.emptyStrided(a.device(), Promotion.floating(a.dtype()), a.shape(),
                    Strides.preserving(a));
            t.own(power);
            TensorImpl number = t.own(Factories.full(a.device(), DType.FLOAT64, base));
            Launch.into(ElementOp.POW, Launch.NONE, power, number, a);
            out = t.give(power);
        }
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("PowBackward1", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl slope = t.own(Elementwise.mul(n.saved(0), Math.log(base), false));
                    return Elementwise.mul(g, slope);
                }
            });
            node.save(Graph.result(node, out));
        }
        return out;
    }

    /** a with the sign of b. */
    public static TensorImpl copysign(TensorImpl a, TensorImpl b) {
        TensorImpl out = Launch.binary(ElementOp.COPY_SIGN, a, b, Promotion.floating(Promotion.of(a, b)));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("CopysignBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(Factories.zerosLike(g)) : null;
                    TensorImpl self = null;
                    if (n.wants(0)) {
                        TensorImpl x = n.saved(0);
                        TensorImpl ratio = t.own(Elementwise.div(n.saved(1), x));
                        TensorImpl zero = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, x, 0));
                        Launch.into(ElementOp.MASKED_FILL, new double[]{0}, ratio, ratio, zero);
                        t.free(zero);
                        self = t.own(Elementwise.mul(g, ratio));
                    }
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.inputIf(node.wants(0), node, a), Graph.resultIf(node.wants(0), node, out));
        }
        return out;
    }

    /** The larger or the smaller of the two, a number before NaN; the gradient goes to one of them. */
    public static TensorImpl fextremum(TensorImpl a, TensorImpl b, boolean larger) {
        TensorImpl out = Launch.binary(larger ? ElementOp.FMAX : ElementOp.FMIN, a, b, Promotion.of(a, b));
        if (Graph.wanted(a, b)) {
            Node node = Graph.record(larger ? "FmaxBackward0" : "FminBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(lost(n, g, larger, true)) : null;
                    TensorImpl self = n.wants(0) ? t.own(lost(n, g, larger, false)) : null;
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b));
        }
        return out;
    }

    private static TensorImpl lost(Node n, TensorImpl g, boolean larger, boolean first) {
        TensorImpl a = n.saved(0);
        TensorImpl b = n.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl won = t.own(Elementwise.compare(larger ? ElementOp.GE : ElementOp.LE, a, b));
            TensorImpl nan = t.own(Elementwise.compare(ElementOp.NE, b, b));
            Launch.into(ElementOp.OR, Launch.NONE, won, won, nan);
            if (!first) {
                Launch.into(ElementOp.NOT, Launch.NONE, won, won);
            }
            return Selection.maskedFill(g, won, 0);
        }
    }

    /** a times a constant. */
    public static TensorImpl scaled(TensorImpl a, double factor, String name) {
        TensorImpl out = Launch.unary(ElementOp.MUL_SCALAR, a, Promotion.floating(a.dtype()), factor);
        if (Graph.wanted(a)) {
            Graph.recordUnary(name, out, a, (n, g) -> scaled(g, factor, name));
        }
        return out;
    }

    public static TensorImpl isfinite(TensorImpl a) {
        try (Temps t = new Temps()) {
            TensorImpl size = t.own(Launch.unary(ElementOp.ABS, a, a.dtype()));
            TensorImpl finite = t.own(Elementwise.compare(ElementOp.NE_SCALAR, size, Double.POSITIVE_INFINITY));
            TensorImpl number = t.own(Elementwise.compare(ElementOp.EQ, a, a));
            return Launch.binary(ElementOp.AND, number, finite, DType.BOOL);
        }
    }

    public static TensorImpl isinf(TensorImpl a) {
        try (Temps t = new Temps()) {
            TensorImpl size = t.own(Launch.unary(ElementOp.ABS, a, a.dtype()));
            return Elementwise.compare(ElementOp.EQ_SCALAR, size, Double.POSITIVE_INFINITY);
        }
    }

    /** |a - b| at most atol + rtol |b|, or equal. */
    public static TensorImpl isclose(TensorImpl a, TensorImpl b, double rtol, double atol) {
        try (Temps t = new Temps()) {
            TensorImpl close = t.own(Elementwise.compare(ElementOp.EQ, a, b));
            TensorImpl scaled = t.own(Elementwise.mul(b, rtol, false));
            TensorImpl absolute = t.own(Pointwise.abs(scaled));
            TensorImpl allowed = t.own(Elementwise.add(absolute, atol, false));
            t.free(absolute);
            t.free(scaled);
            TensorImpl difference = t.own(Elementwise.sub(a, b, 1));
            TensorImpl error = t.own(Pointwise.abs(difference));
            t.free(difference);
            TensorImpl finite = t.own(isfinite(error));
            TensorImpl within = t.own(Elementwise.compare(ElementOp.LE, error, allowed));
            Launch.into(ElementOp.AND, Launch.NONE, finite, finite, within);
            Launch.into(ElementOp.OR, Launch.NONE, close, close, finite);
            return t.give(close);
        }
    }

    /** Bitwise operations of whole numbers, logical of truth values. */
    public static TensorImpl bits(ElementOp op, ElementOp truth, TensorImpl a, TensorImpl b) {
        DType dtype = Promotion.of(a, b);
        if (dtype.isFloatingPoint()) {
            throw new TensorException("A bitwise operation was asked of dtypes " + a.dtype() + " and " + b.dtype()
                    + ": it takes whole numbers and truth values.");
        }
        return Launch.binary(dtype == DType.BOOL ? truth : op, a, b, dtype);
    }
}
