package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.ElementOp;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Slopes;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.internal.ops.train.Foreach;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Kind;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * Activations that PyTorch computes with a kernel of their own, forward and backward: each keeps its input, or in place
 * its result, and its gradient is one tensor.
 */
public final class Activations {

    /** An operation with the kernel of its gradient. */
    public enum Kind {
        LEAKY_RELU("LeakyReluBackward0", ElementOp.LEAKY_RELU, ElementOp.LEAKY_RELU_BACKWARD), ELU("EluBackward0",
                ElementOp.ELU,
                ElementOp.ELU_BACKWARD), CELU("EluBackward0", ElementOp.CELU, ElementOp.CELU_BACKWARD), SOFTPLUS(
                        "SoftplusBackward0", ElementOp.SOFTPLUS,
                        ElementOp.SOFTPLUS_BACKWARD), HARDTANH("HardtanhBackward0", ElementOp.CLAMP,
                                ElementOp.HARDTANH_BACKWARD), HARDSWISH("HardswishBackward0", ElementOp.HARDSWISH,
                                        ElementOp.HARDSWISH_BACKWARD), HARDSIGMOID("HardsigmoidBackward0",
                                                ElementOp.HARDSIGMOID, ElementOp.HARDSIGMOID_BACKWARD), LOG_SIGMOID(
                                                        "LogSigmoidBackward0", ElementOp.LOG_SIGMOID,
                                                        ElementOp.LOG_SIGMOID_BACKWARD), MISH("MishBackward0",
                                                                ElementOp.MISH, ElementOp.MISH_BACKWARD), THRESHOLD(
                                                                        "ThresholdBackward0", ElementOp.THRESHOLD,
                                                                        ElementOp.THRESHOLD_BACKWARD), SOFTSHRINK(
                                                                                "SoftshrinkBackward0",
                                                                                ElementOp.SOFTSHRINK,
                                                                                ElementOp.SHRINK_BACKWARD), HARDSHRINK(
                                                                                        "HardshrinkBackward0",
                                                                                        ElementOp.HARDSHRINK,
                                                                                        ElementOp.SHRINK_BACKWARD);

        private final String node;
        private final ElementOp forward;
        private final ElementOp backward;

        Kind(String node, ElementOp forward, ElementOp backward) {
            this.node = node;
            this.forward = forward;
            this.backward = backward;
        }
    }

    private Activations() {
    }

    public static TensorImpl of(Kind kind, TensorImpl a, double... scalars) {
        requireFloating(kind.name().toLowerCase(), a);
        if (Graph.wanted(a)) {
            Graph.announce(a);
        }
        TensorImpl out = Launch.unary(kind.forward, a, a.dtype(), scalars);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary(kind.node, out, a,
                    (n, g) -> Slopes.of(kind.backward, g, n.saved(0), scalars));
            node.save(Graph.input(node, a));
        }
        return out;
    }

    private static void requireFloating(String what, TensorImpl a) {
        if (!a.dtype().isFloatingPoint()) {
            throw new TensorException(what + " was asked of a tensor of dtype " + a.dtype()
                    + ": it is not implemented for integers. Convert with to(FLOAT32).");
        }
    }

    /** a above 0, else a times its channel's slope; the slopes are one, or one per index of dimension 1. */
    public static TensorImpl prelu(TensorImpl a, TensorImpl weight) {
        if (a.dtype() != weight.dtype()) {
            throw new TensorException("prelu: type promotion is not supported, got " + a.dtype() + " and "
                    + weight.dtype() + ". Convert one with to(dtype).");
        }
        long channels = a.rank() < 2 ? 1 : a.shape()[1];
        if (weight.count() != 1 && weight.count() != channels) {
            throw new TensorException("Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                    + weight.count() + " and channel size = " + channels + ": give one slope, or one per channel.");
        }
        try (Temps t = new Temps()) {
            TensorImpl slope = weight;
            if (a.rank() != weight.rank()) {
                long[] shape = new long[a.rank()];
                Arrays.fill(shape, 1);
                if (a.rank() > 1) {
                    shape[1] = weight.count();
                }
                slope = t.own(Views.reshape(weight, shape));
            }
            return preluKernel(a, slope);
        }
    }

    private static TensorImpl preluKernel(TensorImpl a, TensorImpl slope) {
        TensorImpl out = Launch.binary(ElementOp.PRELU, a, slope, a.dtype());
        if (Graph.wanted(a, slope)) {
            Node node = Graph.record("PreluKernelBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    // PyTorch's kernel writes both, whoever asks
                    TensorImpl x = n.saved(0);
                    TensorImpl gradIn = t.own(Launch.run(ElementOp.PRELU_BACKWARD, Launch.NONE,
                            TensorImpl.emptyStrided(x.device(), g.dtype(), x.shape(), Strides.preserving(x)), g, x,
                            n.saved(1)));
                    TensorImpl gradSlope = t.own(Launch.binaryAs(ElementOp.PRELU_BACKWARD_SLOPE, g, x, g.dtype()));
                    return t.give(n.wants(0) ? gradIn : null, n.wants(1) ? gradSlope : null);
                }
            }, a, slope);
            node.save(Graph.input(node, a), Graph.input(node, slope));
        }
        return out;
    }

    /** The first half along a dimension, times the sigmoid of the second. */
    public static TensorImpl glu(TensorImpl a, int dim) {
        requireFloating("glu", a);
        int along = Shape.dim(dim, a.rank());
        long size = a.shape()[along];
        if (size % 2 != 0) {
            throw new TensorException("glu was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": halving dimension must be even, but dimension " + along + " is size " + size + ".");
        }
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl first = t.own(half(a, along, 0));
            TensorImpl second = t.own(half(a, along, 1));
            out = t.give(t.own(Launch.binary(ElementOp.GLU, first, second, a.dtype())));
        }
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("GluBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl x = n.saved(0);
                    TensorImpl grad = t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape()));
                    TensorImpl first = t.own(half(x, along, 0));
                    TensorImpl second = t.own(half(x, along, 1));
                    Launch.into(ElementOp.GLU, Launch.NONE, t.own(half(grad, along, 0)), g, second);
                    Launch.into(ElementOp.GLU_BACKWARD_GATE, Launch.NONE, t.own(half(grad, along, 1)), g, first,
                            second);
                    return t.give(grad);
                }
            });
            node.save(Graph.input(node, a));
        }
        return out;
    }

    private static TensorImpl half(TensorImpl a, int dim, int which) {
        long[] shape = a.shape().clone();
        shape[dim] /= 2;
        return a.alias(shape, a.strides(), a.offset() + which * shape[dim] * a.strides()[dim]);
    }

    /** Leaky ReLU whose slope is drawn for every element while training; its mean otherwise. */
    public static TensorImpl rrelu(TensorImpl a, double lower, double upper, boolean training) {
        if (!(lower <= upper)) {
            throw new TensorException("rrelu was asked with lower=" + lower + ", upper=" + upper
                    + ": Lower bound should be less than or equal to the upper bound.");
        }
        if (!training) {
            try (Temps t = new Temps()) {
                // PyTorch makes the tensor of slopes, leaves it unused, and keeps it for backward
                TensorImpl unused = t.own(Foreach.emptyLike(a));
                TensorImpl out;
                try (GradMode.State off = GradMode.enter(false)) {
                    out = of(Kind.LEAKY_RELU, a, (lower + upper) / 2);
                }
                if (Graph.wanted(a)) {
                    Node node = Graph.recordUnary("RreluWithNoiseBackward0", out, a,
                            (n, g) -> Launch.binary(ElementOp.LEAKY_RELU_BACKWARD, g, n.saved(0), g.dtype(),
                                    (lower + upper) / 2));
                    node.save(Graph.input(node, a), Graph.input(node, unused));
                }
                return out;
            }
        }
        requireFloating("rrelu", a);
        try (Temps t = new Temps()) {
            TensorImpl noise = t.own(Foreach.emptyLike(a));
            Factories.fillRandom(RandomOp.UNIFORM, noise, lower, upper);
            TensorImpl out = t.own(Launch.binary(ElementOp.PRELU, a, noise, a.dtype()));
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("RreluWithNoiseBackward0", out, a,
                        (n, g) -> Launch.nary(ElementOp.PRELU_BACKWARD, g.dtype(), Launch.NONE, g, n.saved(0),
                                n.saved(1)));
                node.save(Graph.input(node, a), Graph.input(node, noise));
            }
            return t.give(out);
        }
    }

    /** a / (|a| + 1), composed as PyTorch composes it. */
    public static TensorImpl softsign(TensorImpl a) {
        try (Temps t = new Temps()) {
            TensorImpl magnitude = t.own(Pointwise.abs(a));
            TensorImpl below = t.own(Elementwise.add(magnitude, 1, true));
            t.free(magnitude);
            return Elementwise.div(a, below);
        }
    }

    /** a - tanh(a). */
    public static TensorImpl tanhshrink(TensorImpl a) {
        try (Temps t = new Temps()) {
            return Elementwise.sub(a, t.own(Pointwise.tanh(a)), 1);
        }
    }

    /** Softmax of -a. */
    public static TensorImpl softmin(TensorImpl a, int dim) {
        try (Temps t = new Temps()) {
            return AutocastMode.full(x -> Softmax.of(x[0], dim, false), t.own(Pointwise.neg(a)));
        }
    }
}
