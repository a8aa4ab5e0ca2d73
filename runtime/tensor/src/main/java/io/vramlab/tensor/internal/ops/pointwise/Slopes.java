package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.AutogradException;

/**
 * The kernels of backward that take a gradient and one saved tensor, as operations of the graph: {@code sigmoid_backward} and its
 * like have gradients of their own in PyTorch, for the incoming gradient first and then for what was saved. Which operations that
 * takes, in which order, was read off a dispatcher that wrote down what PyTorch 2.11 calls.
 */
public final class Slopes {

    private Slopes() {
    }

    /** The gradient of the input from that of the result; {@code x} is what backward keeps, input or result. */
    public static TensorImpl of(ElementOp op, TensorImpl g, TensorImpl x, double... scalars) {
        TensorImpl out = namesSavedFirst(op)
                ? Launch.binaryAs(op, g, x, g.dtype(), scalars)
                : Launch.binary(op, g, x, g.dtype(), scalars);
        if (Graph.wanted(g, x)) {
            Node node;
            try {
                node = Graph.record(name(op), out, (n, second) -> backward(op, n, second, scalars), g, x);
            } catch (RuntimeException e) {
                out.release();
                throw e;
            }
            // where the second one is constant in pieces, only its sign is asked for again
            node.save(Graph.inputIf(!isPiecewise(op), node, g), Graph.input(node, x));
        }
        return out;
    }

    /** Whether PyTorch's kernel names what was saved before the gradient, so that its result lies as that does. */
    private static boolean namesSavedFirst(ElementOp op) {
        return switch (op) {
            case RELU_BACKWARD, THRESHOLD_BACKWARD, LEAKY_RELU_BACKWARD -> true;
            default -> false;
        };
    }

    private static boolean isPiecewise(ElementOp op) {
        return switch (op) {
            case RELU_BACKWARD, THRESHOLD_BACKWARD, LEAKY_RELU_BACKWARD, HARDTANH_BACKWARD, SHRINK_BACKWARD -> true;
            default -> false;
        };
    }

    private static String name(ElementOp op) {
        return switch (op) {
            case RELU_BACKWARD, THRESHOLD_BACKWARD -> "ThresholdBackwardBackward0";
            case LEAKY_RELU_BACKWARD -> "LeakyReluBackwardBackward0";
            case HARDTANH_BACKWARD -> "HardtanhBackwardBackward0";
            case SHRINK_BACKWARD -> "HardshrinkBackwardBackward0";
            case SIGMOID_BACKWARD -> "SigmoidBackwardBackward0";
            case TANH_BACKWARD -> "TanhBackwardBackward0";
            case SOFTPLUS_BACKWARD -> "SoftplusBackwardBackward0";
            case GELU_BACKWARD -> "GeluBackwardBackward0";
            case ELU_BACKWARD -> "EluBackwardBackward0";
            case LOG_SIGMOID_BACKWARD -> "LogSigmoidBackwardBackward0";
            default -> throw new AutogradException("A gradient with createGraph was asked for through "
                    + op.name().toLowerCase() + ": the derivative of this is not differentiable here. "
                    + "Compute this part of another operation, or walk it without createGraph.");
        };
    }

    private static TensorImpl[] backward(ElementOp op, Node n, TensorImpl second, double... scalars) {
        try (Temps t = new Temps()) {
            TensorImpl g = n.wants(0) ? t.own(of(op, second, n.saved(1), scalars)) : null;
            TensorImpl x = n.wants(1)
                    ? t.own(isPiecewise(op)
                            ? Factories.zerosLike(second)
                            : saved(op, second, n.saved(0), n.saved(1), scalars))
                    : null;
            return t.give(g, x);
        }
    }

    private static TensorImpl saved(ElementOp op, TensorImpl second, TensorImpl g, TensorImpl x, double... scalars) {
        return switch (op) {
            case SIGMOID_BACKWARD -> sigmoid(second, g, x);
            case TANH_BACKWARD -> tanh(second, g, x);
            case SOFTPLUS_BACKWARD -> softplus(second, g, x, scalars[0], scalars[1]);
            case LOG_SIGMOID_BACKWARD -> logSigmoid(second, g, x);
            case ELU_BACKWARD -> elu(second, g, x, scalars);
            default -> gelu(second, g, x);
        };
    }

    /** second g (1 - 2 y). */
    private static TensorImpl sigmoid(TensorImpl second, TensorImpl g, TensorImpl y) {
        try (Temps t = new Temps()) {
            TensorImpl twice = t.own(Elementwise.mul(y, -2, true));
            TensorImpl slope = t.own(Elementwise.add(twice, 1, true));
            TensorImpl both = t.own(Elementwise.mul(second, g));
            return Elementwise.mul(both, slope);
        }
    }

    /** second (-2 y g). */
    private static TensorImpl tanh(TensorImpl second, TensorImpl g, TensorImpl y) {
        try (Temps t = new Temps()) {
            TensorImpl twice = t.own(Elementwise.mul(y, -2, true));
            return Elementwise.mul(second, t.own(Elementwise.mul(twice, g)));
        }
    }

    private static TensorImpl softplus(TensorImpl second, TensorImpl g, TensorImpl x, double beta, double threshold) {
        try (Temps t = new Temps()) {
            TensorImpl both = t.own(Elementwise.mul(second, g));
            TensorImpl scaled = t.own(Elementwise.mul(x, beta, false));
            // the truth values stay until the expression ends, as C++ has it
            TensorImpl isBelow = t.own(Elementwise.compare(ElementOp.LT_SCALAR, scaled, threshold));
            TensorImpl below = t.own(Copies.to(isBelow, x.device(), both.dtype()));
            TensorImpl slope = t.own(of(ElementOp.SIGMOID_BACKWARD, both, t.own(Pointwise.sigmoid(scaled))));
            return Elementwise.mul(t.own(Elementwise.mul(slope, below)), beta, false);
        }
    }

    /** Below zero the slope changes as it is, above not at all. */
    private static TensorImpl elu(TensorImpl second, TensorImpl g, TensorImpl x, double... scalars) {
        try (Temps t = new Temps()) {
            TensorImpl isBelow = t.own(Elementwise.compare(ElementOp.LT_SCALAR, x, 0));
            TensorImpl below = t.own(Copies.to(isBelow, x.device(), g.dtype()));
            TensorImpl both = t.own(Elementwise.mul(second, g));
            TensorImpl scaled = t.own(Elementwise.mul(both, 1, true));
            return Elementwise.mul(t.own(of(ElementOp.ELU_BACKWARD, scaled, x, scalars)), below);
        }
    }

    /** second g s (s - 1), s the sigmoid. */
    private static TensorImpl logSigmoid(TensorImpl second, TensorImpl g, TensorImpl x) {
        try (Temps t = new Temps()) {
            TensorImpl both = t.own(Elementwise.mul(second, g));
            TensorImpl s = t.own(Pointwise.sigmoid(x));
            TensorImpl less = t.own(Elementwise.sub(s, 1, true));
            return Elementwise.mul(t.own(Elementwise.mul(both, s)), less);
        }
    }

    /** second g (2 p - x^2 p), p the density of the normal distribution. */
    private static TensorImpl gelu(TensorImpl second, TensorImpl g, TensorImpl x) {
        try (Temps t = new Temps()) {
            TensorImpl square = t.own(Elementwise.mul(x, x));
            TensorImpl half = t.own(Elementwise.mul(square, -0.5, false));
            TensorImpl power = t.own(Pointwise.exp(half));
            TensorImpl density = t.own(Elementwise.mul(power, 1 / Math.sqrt(2 * Math.PI), false));
            TensorImpl lower = t.own(Elementwise.mul(square, density));
            TensorImpl slope = t.own(Elementwise.sub(t.own(Elementwise.mul(density, 2, true)), lower, 1));
            return Elementwise.mul(t.own(Elementwise.mul(second, g)), slope);
        }
    }
}
