package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.function.BiFunction;

/** More operations in place. What a gradient needs of the old value is copied before it is overwritten, as in PyTorch. */
public final class MoreInPlace {

    private enum Saves {
        NOTHING, OLD, RESULT
    }

    private MoreInPlace() {
    }

    private static void unary(ElementOp op, String name, TensorImpl a, Saves saves,
            BiFunction<Node, TensorImpl, TensorImpl> formula, double... scalars) {
        Graph.checkInPlace(a);
        Node[] made = new Node[1];
        InPlace.change(a, null, () -> Launch.into(op, scalars, a, a), () -> {
            Node node = Graph.unbound(name, (n, g) -> new TensorImpl[]{formula.apply(n, g)}, a);
            if (saves == Saves.OLD) {
                try (Temps t = new Temps()) {
                    node.save(Graph.input(node, t.own(Copies.clone(a))));
                }
            }
            made[0] = node;
            return node;
        });
        if (made[0] != null && saves == Saves.RESULT) {
            made[0].save(Graph.result(made[0], a));
        }
    }

    public static void pow(TensorImpl a, double exponent) {
        unary(ElementOp.POW_SCALAR, "PowBackward0", a, Saves.OLD,
                (n, g) -> Pointwise.powBackward(n.saved(0), g, exponent),
                exponent);
    }

    public static void neg(TensorImpl a) {
        unary(ElementOp.NEG, "NegBackward0", a, Saves.NOTHING, (n, g) -> Pointwise.neg(g));
    }

    public static void abs(TensorImpl a) {
        unary(ElementOp.ABS, "AbsBackward0", a, Saves.OLD, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(Pointwise.sign(n.saved(0))));
            }
        });
    }

    public static void sin(TensorImpl a) {
        unary(ElementOp.SIN, "SinBackward0", a, Saves.OLD, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(Pointwise.cos(n.saved(0))));
            }
        });
    }

    public static void cos(TensorImpl a) {
        unary(ElementOp.COS, "CosBackward0", a, Saves.OLD, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl sine = t.own(Pointwise.sin(n.saved(0)));
                return Elementwise.mul(g, t.own(Pointwise.neg(sine)));
            }
        });
    }

    public static void log(TensorImpl a) {
        unary(ElementOp.LOG, "LogBackward0", a, Saves.OLD, (n, g) -> Elementwise.div(g, n.saved(0)));
    }

    public static void rsqrt(TensorImpl a) {
        unary(ElementOp.RSQRT, "RsqrtBackward0", a, Saves.RESULT, (n, g) -> Pointwise.rsqrtBackward(n.saved(0), g));
    }

    public static void reciprocal(TensorImpl a) {
        unary(ElementOp.RECIPROCAL, "ReciprocalBackward0", a, Saves.RESULT, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl negative = t.own(Pointwise.neg(g));
                return Elementwise.mul(negative, t.own(Elementwise.mul(n.saved(0), n.saved(0))));
            }
        });
    }

    public static void step(ElementOp op, String name, TensorImpl a) {
        unary(op, name, a, Saves.NOTHING, (n, g) -> Factories.zerosLike(g));
    }

    public static void lerp(TensorImpl a, TensorImpl end, double weight) {
        InPlace.change(a, end, () -> Launch.into(ElementOp.LERP, new double[]{weight}, a, a, end),
                () -> Graph.unbound("LerpBackward0", (n, g) -> MathFunctions.lerpBackward(n, g, weight), a, end));
    }

    public static void addcmul(TensorImpl a, TensorImpl x, TensorImpl y, double value) {
        InPlace.change(a, Graph.wanted(x) ? x : y,
                () -> Launch.into(ElementOp.ADDCMUL, new double[]{value}, a, a, x, y),
                () -> MathFunctions.addcmulNode(Graph.unbound("AddcmulBackward0",
                        (n, g) -> MathFunctions.addcmulBackward(n, g, value), a, x, y), x, y));
    }

    public static void addcdiv(TensorImpl a, TensorImpl x, TensorImpl y, double value) {
        InPlace.change(a, Graph.wanted(x) ? x : y,
                () -> Launch.into(ElementOp.ADDCDIV, new double[]{value}, a, a, x, y),
                () -> MathFunctions.addcdivNode(Graph.unbound("AddcdivBackward0",
                        (n, g) -> MathFunctions.addcdivBackward(n, g, value), a, x, y), x, y));
    }

    public static void triangle(TensorImpl a, boolean upper, long diagonal) {
        if (a.rank() < 2) {
            throw new TensorException("triu_ or tril_ was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it needs at least two dimensions.");
        }
        InPlace.change(a, null,
                () -> a.driver().kernels().triangle(a.operand(), a.operand(), upper, diagonal, a.stream()),
                () -> Graph.unbound(upper ? "TriuBackward0" : "TrilBackward0",
                        (n, g) -> new TensorImpl[]{Selection.triangle(g, upper, diagonal)}, a));
    }

    /** Bitwise operations of whole numbers, logical of truth values. */
    public static void bits(ElementOp op, ElementOp truth, TensorImpl a, TensorImpl b) {
        DType dtype = Promotion.of(a, b);
        if (dtype.isFloatingPoint() || dtype != a.dtype()) {
            throw new TensorException("A bitwise operation was asked in place of a tensor of dtype " + a.dtype()
                    + ", with one of "
                    + b.dtype()
                    + ": it takes whole numbers and truth values, and the result must fit. Use the out-of-place form.");
        }
        InPlace.requireBroadcast(a, b, "A bitwise operation");
        InPlace.change(a, null, () -> Launch.into(dtype == DType.BOOL ? truth : op, Launch.NONE, a, a, b), () -> null);
    }
}
