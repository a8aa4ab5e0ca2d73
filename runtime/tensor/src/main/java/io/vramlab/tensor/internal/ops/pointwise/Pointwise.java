package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.function.BiFunction;

/**
 * Functions of one tensor, element by element. Each says in its backward what PyTorch's formula allocates: one tensor
 * where PyTorch has a kernel of its own, temporaries where it composes.
 */
public final class Pointwise {

    private Pointwise() {
    }

    enum Saves {
        NOTHING, INPUT, RESULT, BOTH
    }

    /** A function whose result is floating; checkpoints need not compute what saves its input alone. */
    static TensorImpl apply(ElementOp op, String name, TensorImpl a, Saves saves,
            BiFunction<Node, TensorImpl, TensorImpl> formula, double... scalars) {
        if (saves == Saves.INPUT && Graph.wanted(a)) {
            Graph.announce(a);
        }
        TensorImpl out = Launch.unary(op, a, Promotion.floating(a.dtype()), scalars);
        return tie(name, a, out, saves, formula);
    }

    private static TensorImpl tie(String name, TensorImpl a, TensorImpl out, Saves saves,
            BiFunction<Node, TensorImpl, TensorImpl> formula) {
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary(name, out, a, formula);
            if (saves == Saves.INPUT) {
                node.save(Graph.input(node, a));
            } else if (saves == Saves.RESULT) {
                node.save(Graph.result(node, out));
            } else if (saves == Saves.BOTH) {
                node.save(Graph.input(node, a), Graph.result(node, out));
            }
        }
        return out;
    }

    /** A backward that one kernel does from the gradient and the saved tensor. */
    private static BiFunction<Node, TensorImpl, TensorImpl> kernel(ElementOp op, double... scalars) {
        return (n, g) -> Slopes.of(op, g, n.saved(0), scalars);
    }

    public static TensorImpl neg(TensorImpl a) {
        if (a.isSparse()) {
            return SparseSums.negated(a);
        }
        TensorImpl out = Launch.unary(ElementOp.NEG, a, a.dtype());
        return tie("NegBackward0", a, out, Saves.NOTHING, (n, g) -> neg(g));
    }

    public static TensorImpl abs(TensorImpl a) {
        TensorImpl out = Launch.unary(ElementOp.ABS, a, a.dtype());
        return tie("AbsBackward0", a, out, Saves.INPUT, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(sign(n.saved(0))));
            }
        });
    }

    public static TensorImpl sign(TensorImpl a) {
        TensorImpl out = Launch.unary(ElementOp.SIGN, a, a.dtype());
        return tie("SignBackward0", a, out, Saves.NOTHING, (n, g) -> Factories.zerosLike(g));
    }

    public static TensorImpl relu(TensorImpl a) {
        TensorImpl out = Launch.unary(ElementOp.RELU, a, a.dtype());
        return tie("ReluBackward0", a, out, Saves.RESULT, kernel(ElementOp.RELU_BACKWARD));
    }

    public static TensorImpl gelu(TensorImpl a, boolean tanh) {
        return apply(tanh ? ElementOp.GELU_TANH : ElementOp.GELU, "GeluBackward0", a, Saves.INPUT,
                kernel(tanh ? ElementOp.GELU_TANH_BACKWARD : ElementOp.GELU_BACKWARD));
    }

    public static TensorImpl silu(TensorImpl a) {
        return apply(ElementOp.SILU, "SiluBackward0", a, Saves.INPUT, (n, g) -> GradMode.isEnabled()
                ? siluBackward(n.saved(0), g)
                : Slopes.of(ElementOp.SILU_BACKWARD, g, n.saved(0)));
    }

    /** PyTorch's infinitely_differentiable_silu_backward. */
    private static TensorImpl siluBackward(TensorImpl x, TensorImpl g) {
        try (Temps t = new Temps()) {
            TensorImpl s = t.own(sigmoid(x));
            TensorImpl slope;
            try (Temps u = new Temps()) {
                TensorImpl product = u.own(Elementwise.mul(x, u.own(Elementwise.rsub(s, 1, true))));
                slope = t.own(Elementwise.add(product, 1, true));
            }
            return Elementwise.mul(t.own(Elementwise.mul(g, s)), slope);
        }
    }

    public static TensorImpl sigmoid(TensorImpl a) {
        return apply(ElementOp.SIGMOID, "SigmoidBackward0", a, Saves.RESULT, kernel(ElementOp.SIGMOID_BACKWARD));
    }

    public static TensorImpl tanh(TensorImpl a) {
        return apply(ElementOp.TANH, "TanhBackward0", a, Saves.RESULT, kernel(ElementOp.TANH_BACKWARD));
    }

    public static TensorImpl exp(TensorImpl a) {
        return apply(ElementOp.EXP, "ExpBackward0", a, Saves.RESULT, (n, g) -> Elementwise.mul(g, n.saved(0)));
    }

    public static TensorImpl log(TensorImpl a) {
        return apply(ElementOp.LOG, "LogBackward0", a, Saves.INPUT, (n, g) -> Elementwise.div(g, n.saved(0)));
    }

    public static TensorImpl log1p(TensorImpl a) {
        return apply(ElementOp.LOG1P, "Log1PBackward0", a, Saves.INPUT, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.div(g, t.own(Elementwise.add(n.saved(0), 1, true)));
            }
        });
    }

    public static TensorImpl sqrt(TensorImpl a) {
        return apply(ElementOp.SQRT, "SqrtBackward0", a, Saves.RESULT, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.div(g, t.own(Elementwise.mul(n.saved(0), 2, true)));
            }
        });
    }

    public static TensorImpl rsqrt(TensorImpl a) {
        return apply(ElementOp.RSQRT, "RsqrtBackward0", a, Saves.RESULT, (n, g) -> rsqrtBackward(n.saved(0), g));
    }

    static TensorImpl rsqrtBackward(TensorImpl result, TensorImpl g) {
        try (Temps t = new Temps()) {
            TensorImpl half = t.own(Elementwise.mul(g, -0.5, false));
            TensorImpl cube = t.own(pow(result, 3));
            return Elementwise.mul(half, cube);
        }
    }

    public static TensorImpl reciprocal(TensorImpl a) {
        return apply(ElementOp.RECIPROCAL, "ReciprocalBackward0", a, Saves.RESULT, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl negative = t.own(neg(g));
                TensorImpl square = t.own(Elementwise.mul(n.saved(0), n.saved(0)));
                return Elementwise.mul(negative, square);
            }
        });
    }

    public static TensorImpl sin(TensorImpl a) {
        return apply(ElementOp.SIN, "SinBackward0", a, Saves.INPUT, (n, g) -> {
            try (Temps t = new Temps()) {
                return Elementwise.mul(g, t.own(cos(n.saved(0))));
            }
        });
    }

    public static TensorImpl cos(TensorImpl a) {
        return apply(ElementOp.COS, "CosBackward0", a, Saves.INPUT, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl sine = t.own(sin(n.saved(0)));
                TensorImpl negative = t.own(neg(sine));
                return Elementwise.mul(g, negative);
            }
        });
    }

    public static TensorImpl erf(TensorImpl a) {
        double slope = 2 / Math.sqrt(Math.PI);
        return apply(ElementOp.ERF, "ErfBackward0", a, Saves.INPUT, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl square = t.own(pow(n.saved(0), 2));
                TensorImpl negative = t.own(neg(square));
                TensorImpl power = t.own(exp(negative));
                TensorImpl scaled = t.own(Elementwise.mul(power, slope, false));
                return Elementwise.mul(scaled, g);
            }
        });
    }

    /** Floor, ceil, round: their gradient is zero. */
    public static TensorImpl step(ElementOp op, TensorImpl a) {
        TensorImpl out = Launch.unary(op, a, a.dtype());
        return tie(op.name().charAt(0) + op.name().substring(1).toLowerCase() + "Backward0", a, out, Saves.NOTHING,
                (n, g) -> Factories.zerosLike(g));
    }

    public static TensorImpl pow(TensorImpl a, double exponent) {
        DType out = Promotion.withScalar(a.dtype(), exponent, exponent == Math.rint(exponent));
        TensorImpl result = Launch.unary(ElementOp.POW_SCALAR, a, out, exponent);
        return tie("PowBackward0", a, result, Saves.INPUT, (n, g) -> powBackward(n.saved(0), g, exponent));
    }

    static TensorImpl powBackward(TensorImpl x, TensorImpl g, double exponent) {
        if (exponent == 0) {
            return Factories.zerosLike(x);
        }
        try (Temps t = new Temps()) {
            TensorImpl power = t.own(pow(x, exponent - 1));
            TensorImpl slope = t.own(Elementwise.mul(power, exponent, false));
            return Elementwise.mul(g, slope);
        }
    }
}
