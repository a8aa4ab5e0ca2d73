package io.vramlab.tensor.internal.ops.loss;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Losses, as PyTorch composes them: which temporaries exist, and when, follows its implementation on CUDA. */
public final class Losses {

    private Losses() {
    }

    /** The result of a loss in PyTorch's structured kernel: see the comment at the mean. */
    public static TensorImpl mse(TensorImpl a, TensorImpl target, Reduction reduction) {
        return pointwise("MseLossBackward0", ElementOp.SQUARED_ERROR, ElementOp.SQUARED_ERROR_BACKWARD, 2, a, target,
                reduction);
    }

    /** Quadratic within beta of the target, else linear. */
    public static TensorImpl smoothL1(TensorImpl a, TensorImpl target, Reduction reduction, double beta) {
        if (!(beta >= 0)) {
            throw new TensorException("smooth_l1_loss does not support negative values for beta, but got " + beta
                    + ": give 0 or more.");
        }
        return beta == 0
                ? l1(a, target, reduction)
                : pointwise("SmoothL1LossBackward0", ElementOp.SMOOTH_L1, ElementOp.SMOOTH_L1_BACKWARD, 1, a, target,
                        reduction, beta);
    }

    private static TensorImpl pointwise(String name, ElementOp op, ElementOp backward, double slope, TensorImpl a,
            TensorImpl target, Reduction reduction, double... bound) {
        long[] shape = Shape.broadcast(a.shape(), target.shape(), "mse loss");
        double scale = reduction == Reduction.MEAN ? slope / Shape.count(shape) : slope;
        DType dtype = Promotion.of(a, target);
        double[] slopes = bound.length == 0 ? new double[]{scale} : new double[]{scale, bound[0]};
        PairSlopes rule = new PairSlopes(backward, reduction == Reduction.MEAN, slopes);
        TensorImpl out;
        if (reduction == Reduction.NONE) {
            out = Launch.binary(op, a, target, dtype, bound);
        } else {
            try (Temps t = new Temps()) {
                // PyTorch allocates the result in the shape of the inputs and shrinks it to a scalar when it reduces:
                // the loss keeps the whole storage
                TensorImpl wide = t.own(TensorImpl.empty(a.device(), dtype, shape));
                TensorImpl errors = t.own(Launch.binary(op, a, target, dtype, bound));
                out = t.own(wide.alias(Shape.SCALAR, Shape.SCALAR, 0));
                Reductions.reduceInto(reduction == Reduction.MEAN, out, errors);
                t.give(out);
            }
        }
        if (Graph.wanted(a, target)) {
            Node node = Graph.record(name, out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl self = n.wants(0) ? t.own(rule.of(g, n.saved(0), n.saved(1))) : null;
                    TensorImpl other = n.wants(1) ? t.own(rule.of(g, n.saved(1), n.saved(0))) : null;
                    return t.give(self, other);
                }
            }, a, target);
            node.save(Graph.input(node, a), Graph.input(node, target));
        }
        return out;
    }

    /** Difference, magnitude, reduction: three operations, as in PyTorch. */
    public static TensorImpl l1(TensorImpl a, TensorImpl target, Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl difference = t.own(Elementwise.sub(a, target, 1));
            TensorImpl magnitude = t.own(Pointwise.abs(difference));
            return reduced(magnitude, reduction);
        }
    }

    public static TensorImpl reduced(TensorImpl losses, Reduction reduction) {
        return switch (reduction) {
            case NONE -> losses.retain();
            case MEAN -> Sums.mean(losses, Reductions.ALL, false);
            case SUM -> Sums.sum(losses, Reductions.ALL, false);
        };
    }

    /** Binary cross-entropy of sigmoid(a); target in [0, 1] of the same shape; weights of losses and of positives, or null. */
    public static TensorImpl bceWithLogits(TensorImpl a, TensorImpl target, TensorImpl weight, TensorImpl positive,
            Reduction reduction) {
        if (!Arrays.equals(a.shape(), target.shape())) {
            throw new TensorException("Target size (" + Shape.text(target.shape())
                    + ") must be the same as input size (" + Shape.text(a.shape()) + ") for bceWithLogits.");
        }
        Launch.device("bceWithLogits", a, target);
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl losses = positive == null ? even(t, a, target) : uneven(t, a, target, positive);
            if (weight != null) {
                InPlace.mul(losses, weight);
            }
            out = reduced(losses, reduction);
        }
        if (Graph.wanted(a, target)) {
            double count = a.count();
            Node node = Graph.record("BinaryCrossEntropyWithLogitsBackward0", out,
                    (n, g) -> new TensorImpl[]{n.wants(0) ? bceBackward(n, g, reduction, count) : null,
                            n.wants(1) ? bceTarget(n, g, reduction, count) : null},
                    a, target);
            node.save(Graph.input(node, a), Graph.input(node, target), Graph.inputIf(weight != null, node, weight),
                    Graph.inputIf(positive != null, node, positive));
        }
        return out;
    }

    private static TensorImpl logSigmoid(TensorImpl a) {
        return Launch.unary(ElementOp.LOG_SIGMOID, a, a.dtype());
    }

    private static TensorImpl even(Temps t, TensorImpl a, TensorImpl target) {
        // PyTorch holds log(sigmoid(a)) beside the loss; this kernel needs it not
        t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
        return t.own(Launch.binary(ElementOp.BCE_WITH_LOGITS, a, target, a.dtype()));
    }

    /** PyTorch's own steps: log(sigmoid(a)) (1 + (positive - 1) target), of which (1 - target) a loses it. */
    private static TensorImpl uneven(Temps t, TensorImpl a, TensorImpl target, TensorImpl positive) {
        TensorImpl logarithm = t.own(logSigmoid(a));
        try (Temps inner = new Temps()) {
            TensorImpl factor;
            try (Temps more = new Temps()) {
                factor = inner.own(Elementwise.mul(more.own(Elementwise.sub(positive, 1, false)), target));
                InPlace.add(factor, 1);
            }
            InPlace.mul(logarithm, factor);
        }
        TensorImpl losses = t.own(Elementwise.rsub(target, 1, false));
        InPlace.mul(losses, a);
        InPlace.add(losses, logarithm, -1);
        return losses;
    }

    private static TensorImpl bceBackward(Node n, TensorImpl g, Reduction reduction, double count) {
        try (Temps t = new Temps()) {
            TensorImpl grad;
            if (n.saved(3) != null) {
                grad = t.own(unevenSlope(n.saved(0), n.saved(1), n.saved(3)));
            } else {
                grad = t.own(Pointwise.sigmoid(n.saved(0)));
                if (GradMode.isEnabled()) {
                    // the sigmoid keeps its result
                    grad = t.own(Elementwise.sub(grad, n.saved(1), 1));
                } else {
                    Launch.into(ElementOp.SUB, new double[]{1}, grad, grad, n.saved(1));
                }
            }
            return t.give(scaled(grad, n.saved(2), g, reduction, count));
        }
    }

    /** (1 + positive target - target) sigmoid(a) - positive target. */
    private static TensorImpl unevenSlope(TensorImpl a, TensorImpl target, TensorImpl positive) {
        try (Temps t = new Temps()) {
            TensorImpl share = t.own(Elementwise.mul(positive, target));
            TensorImpl slope = t.own(Elementwise.add(share, 1, false));
            if (GradMode.isEnabled()) {
                slope = t.own(Elementwise.sub(slope, target, 1));
                slope = t.own(Elementwise.mul(slope, t.own(Pointwise.sigmoid(a))));
                return t.give(t.own(Elementwise.sub(slope, share, 1)));
            }
            InPlace.add(slope, target, -1);
            try (Temps inner = new Temps()) {
                InPlace.mul(slope, inner.own(Pointwise.sigmoid(a)));
            }
            InPlace.add(slope, share, -1);
            return t.give(slope);
        }
    }

    private static TensorImpl bceTarget(Node n, TensorImpl g, Reduction reduction, double count) {
        try (Temps t = new Temps()) {
            TensorImpl negative;
            if (n.saved(3) == null) {
                negative = t.own(Pointwise.neg(n.saved(0)));
            } else {
                TensorImpl below = t.own(logSigmoid(t.own(Pointwise.neg(n.saved(0)))));
                TensorImpl above = t.own(Elementwise.mul(n.saved(3), t.own(logSigmoid(n.saved(0)))));
                negative = t.own(Elementwise.sub(below, above, 1));
            }
            return t.give(scaled(negative, n.saved(2), g, reduction, count));
        }
    }

    private static TensorImpl scaled(TensorImpl slope, TensorImpl weight, TensorImpl g, Reduction reduction,
            double count) {
        InPlace.mul(slope, g);
        if (weight != null) {
            InPlace.mul(slope, weight);
        }
        if (reduction == Reduction.MEAN) {
            InPlace.div(slope, count);
        }
        return slope;
    }
}
