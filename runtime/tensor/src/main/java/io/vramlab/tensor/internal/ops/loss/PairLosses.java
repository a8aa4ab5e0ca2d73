package io.vramlab.tensor.internal.ops.loss;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.Distances;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.MathFunctions;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.train.Foreach;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Losses of an output beside a target, composed as PyTorch composes them: which temporaries exist, and when. */
public final class PairLosses {

    private static final double EPSILON = 1e-12;

    private PairLosses() {
    }

    private static TensorImpl sum(TensorImpl a, int dim) {
        return Sums.sum(a, new int[]{dim}, false);
    }

    public static TensorImpl huber(TensorImpl a, TensorImpl target, Reduction reduction, double delta) {
        if (!(delta > 0)) {
            throw new TensorException("huber_loss does not support non-positive values for delta, but got " + delta
                    + ": give a positive distance.");
        }
        DType dtype = Promotion.of(a, target);
        long[] shape = Shape.broadcast(a.shape(), target.shape(), "huber loss");
        double scale = reduction == Reduction.MEAN ? 1.0 / Shape.count(shape) : 1;
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            out = Losses.reduced(t.own(Launch.binary(ElementOp.HUBER, a, target, dtype, delta)), reduction);
        }
        if (Graph.wanted(a, target)) {
            double[] scalars = {scale, delta};
            Node node = Graph.record("HuberLossBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl self = n.wants(0) ? t.own(slope(scalars, g, n.saved(0), n.saved(1))) : null;
                    TensorImpl other = n.wants(1) ? t.own(slope(scalars, g, n.saved(1), n.saved(0))) : null;
                    return t.give(self, other);
                }
            }, a, target);
            node.save(Graph.input(node, a), Graph.input(node, target));
        }
        return out;
    }

    private static TensorImpl slope(double[] scalars, TensorImpl g, TensorImpl x, TensorImpl y) {
        return Launch.contiguous(ElementOp.HUBER_BACKWARD, g.dtype(), scalars, g, x, y);
    }

    /** Of probabilities; weight broadcasts, or is null. */
    public static TensorImpl bce(TensorImpl a, TensorImpl target, TensorImpl weight, Reduction reduction) {
        if (!Arrays.equals(a.shape(), target.shape())) {
            throw new TensorException("Using a target size (" + Shape.text(target.shape())
                    + ") that is different to the input size (" + Shape.text(a.shape())
                    + ") is deprecated. Please ensure they have the same size.");
        }
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl loss = t.own(Launch.binary(ElementOp.BCE, a, target, a.dtype()));
            if (weight != null) {
                Launch.into(ElementOp.MUL, Launch.NONE, loss, loss, weight);
            }
            out = loss;
            if (reduction != Reduction.NONE) {
                // PyTorch shrinks the losses to the scalar: it keeps the whole storage
                TensorImpl reduced = t.own(Losses.reduced(loss, reduction));
                out = t.own(loss.alias(Shape.SCALAR, Shape.SCALAR, loss.offset()));
                Launch.into(ElementOp.COPY, Launch.NONE, out, reduced);
            }
            t.give(out);
        }
        if (Graph.wanted(a, target)) {
            double count = a.count();
            Node node = Graph.record("BinaryCrossEntropyBackward0", out, (n, g) -> {
                if (n.wants(1)) {
                    throw new AutogradException("the derivative of binary_cross_entropy for its target was asked for: "
                            + "it is not implemented here. Detach the target.");
                }
                return new TensorImpl[]{bceBackward(n, g, reduction, count), null};
            }, a, target);
            node.save(Graph.input(node, a), Graph.input(node, target), Graph.inputIf(weight != null, node, weight));
        }
        return out;
    }

    private static TensorImpl bceBackward(Node n, TensorImpl g, Reduction reduction, double count) {
        TensorImpl grad = Launch.nary(ElementOp.BCE_BACKWARD, n.saved(0).dtype(), Launch.NONE, g, n.saved(0),
                n.saved(1));
        if (n.saved(2) != null) {
            Launch.into(ElementOp.MUL, Launch.NONE, grad, grad, n.saved(2));
        }
        if (reduction == Reduction.MEAN) {
            Launch.into(ElementOp.DIV_SCALAR, new double[]{count}, grad, grad);
        }
        return grad;
    }

    /** Divergence of log-probabilities from probabilities, or from log-probabilities. */
    public static TensorImpl klDiv(TensorImpl a, TensorImpl target, Reduction reduction, boolean logTarget) {
        try (Temps t = new Temps()) {
            if (logTarget) {
                TensorImpl difference = t.own(Elementwise.sub(target, a, 1));
                TensorImpl probability = t.own(Pointwise.exp(target));
                TensorImpl losses = t.own(Elementwise.mul(probability, difference));
                t.free(probability);
                t.free(difference);
                return Losses.reduced(losses, reduction);
            }
            TensorImpl product = t.own(Elementwise.mul(target, a));
            TensorImpl entropy = t.own(MathFunctions.xlogy(target, target));
            TensorImpl losses = t.own(Elementwise.sub(entropy, product, 1));
            t.free(entropy);
            t.free(product);
            return Losses.reduced(losses, reduction);
        }
    }

    /** log(1 + exp(-target a)), target 1 or -1. */
    public static TensorImpl softMargin(TensorImpl a, TensorImpl target, Reduction reduction) {
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl losses = t.own(Launch.unary(ElementOp.NEG, a, a.dtype()));
            Launch.into(ElementOp.MUL, Launch.NONE, losses, losses, target);
            Launch.into(ElementOp.EXP, Launch.NONE, losses, losses);
            Launch.into(ElementOp.LOG1P, Launch.NONE, losses, losses);
            out = losses;
            if (reduction != Reduction.NONE) {
                TensorImpl reduced = t.own(Losses.reduced(losses, reduction));
                out = t.own(losses.alias(Shape.SCALAR, Shape.SCALAR, losses.offset()));
                Launch.into(ElementOp.COPY, Launch.NONE, out, reduced);
            }
            t.give(out);
        }
        if (Graph.wanted(a)) {
            double norm = reduction == Reduction.MEAN ? 1.0 / a.count() : 1;
            Node node = Graph.recordUnary("SoftMarginLossBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl x = n.saved(0);
                    TensorImpl y = n.saved(1);
                    TensorImpl negative = t.own(Pointwise.neg(y));
                    TensorImpl product = t.own(Elementwise.mul(negative, x));
                    TensorImpl z = t.own(Pointwise.exp(product));
                    t.free(product);
                    t.free(negative);
                    TensorImpl grad = t.own(Foreach.emptyLike(x));
                    Launch.into(ElementOp.MUL, Launch.NONE, grad, y, z);
                    Launch.into(ElementOp.MUL_SCALAR, new double[]{-norm}, grad, grad);
                    Launch.into(ElementOp.ADD_SCALAR, new double[]{1}, z, z);
                    Launch.into(ElementOp.DIV, Launch.NONE, grad, grad, z);
                    Launch.into(ElementOp.MUL, Launch.NONE, grad, grad, g);
                    return t.give(grad);
                }
            });
            node.save(Graph.input(node, a), Graph.input(node, target));
        }
        return out;
    }

    /** a where the target is 1, max(0, margin - a) where it is -1. */
    public static TensorImpl hingeEmbedding(TensorImpl a, TensorImpl target, double margin, Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl zeros = t.own(Factories.zerosLike(a));
            TensorImpl margins = t.own(Elementwise.rsub(a, margin, true));
            InPlace.clamp(margins, 0, Double.POSITIVE_INFINITY);
            TensorImpl other = t.own(chosen(ElementOp.NE_SCALAR, target, 1, margins, zeros));
            TensorImpl self = t.own(chosen(ElementOp.NE_SCALAR, target, -1, a, zeros));
            return Losses.reduced(t.own(Elementwise.add(other, self, 1)), reduction);
        }
    }

    private static TensorImpl chosen(ElementOp op, TensorImpl target, double value, TensorImpl yes, TensorImpl no) {
        try (Temps t = new Temps()) {
            return Selection.where(t.own(Elementwise.compare(op, target, value)), yes, no);
        }
    }

    /** max(0, -target (x1 - x2) + margin). */
    public static TensorImpl marginRanking(TensorImpl x1, TensorImpl x2, TensorImpl target, double margin,
            Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl negative = t.own(Pointwise.neg(target));
            TensorImpl difference = t.own(Elementwise.sub(x1, x2, 1));
            TensorImpl product = t.own(Elementwise.mul(negative, difference));
            TensorImpl output = t.own(Elementwise.add(product, margin, true));
            t.free(product);
            t.free(difference);
            t.free(negative);
            InPlace.clamp(output, 0, Double.POSITIVE_INFINITY);
            return Losses.reduced(output, reduction);
        }
    }

    /** 1 - cosine where the target is 1, max(0, cosine - margin) where it is -1; over the last dimension. */
    public static TensorImpl cosineEmbedding(TensorImpl x1, TensorImpl x2, TensorImpl target, double margin,
            Reduction reduction) {
        int dim = target.rank() == 0 ? 0 : 1;
        try (Temps t = new Temps()) {
            TensorImpl products = t.own(summedProduct(x1, x2, dim));
            TensorImpl square1 = t.own(shifted(x1, dim));
            TensorImpl square2 = t.own(shifted(x2, dim));
            TensorImpl lengths = t.own(Elementwise.mul(square1, square2));
            InPlace.sqrt(lengths);
            TensorImpl cosine = t.own(Elementwise.div(products, lengths));
            TensorImpl zeros = t.own(Factories.zerosLike(cosine));
            TensorImpl near = t.own(Elementwise.rsub(cosine, 1, true));
            TensorImpl far = t.own(Elementwise.sub(cosine, margin, true));
            InPlace.clamp(far, 0, Double.POSITIVE_INFINITY);
            TensorImpl positive = t.own(chosen(ElementOp.EQ_SCALAR, target, 1, near, zeros));
            TensorImpl negative = t.own(chosen(ElementOp.EQ_SCALAR, target, -1, far, zeros));
            return Losses.reduced(t.own(Elementwise.add(positive, negative, 1)), reduction);
        }
    }

    private static TensorImpl summedProduct(TensorImpl a, TensorImpl b, int dim) {
        try (Temps t = new Temps()) {
            return sum(t.own(Elementwise.mul(a, b)), dim);
        }
    }

    private static TensorImpl shifted(TensorImpl a, int dim) {
        try (Temps t = new Temps()) {
            TensorImpl squares = t.own(Elementwise.mul(a, a));
            return Elementwise.add(t.own(sum(squares, dim)), EPSILON, true);
        }
    }

    /** max(0, margin + d(anchor, positive) - d(anchor, negative)). */
    public static TensorImpl tripletMargin(TensorImpl anchor, TensorImpl positive, TensorImpl negative, double margin,
            double p, double eps, boolean swap, Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl near = t.own(Distances.pairwise(anchor, positive, p, eps, false));
            TensorImpl far = t.own(Distances.pairwise(anchor, negative, p, eps, false));
            if (swap) {
                TensorImpl other = t.own(Distances.pairwise(positive, negative, p, eps, false));
                TensorImpl nearer = t.own(Elementwise.minimum(far, other));
                t.free(far);
                t.free(other);
                far = nearer;
            }
            TensorImpl widened = t.own(Elementwise.add(near, margin, true));
            TensorImpl difference = t.own(Elementwise.sub(widened, far, 1));
            TensorImpl output = t.own(Selection.clamp(difference, 0, Double.POSITIVE_INFINITY));
            t.free(difference);
            t.free(widened);
            return Losses.reduced(output, reduction);
        }
    }

    /** exp(a) - target a of logarithms, else a - target log(a + eps); full adds Stirling's term. */
    public static TensorImpl poissonNll(TensorImpl a, TensorImpl target, boolean logInput, boolean full, double eps,
            Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl losses = t.own(logInput ? ofLogarithm(a, target) : ofRate(a, target, eps));
            if (full) {
                addStirling(losses, target);
            }
            return Losses.reduced(losses, reduction);
        }
    }

    private static TensorImpl ofLogarithm(TensorImpl a, TensorImpl target) {
        try (Temps t = new Temps()) {
            TensorImpl product = t.own(Elementwise.mul(target, a));
            TensorImpl power = t.own(Pointwise.exp(a));
            return Elementwise.sub(power, product, 1);
        }
    }

    private static TensorImpl ofRate(TensorImpl a, TensorImpl target, double eps) {
        try (Temps t = new Temps()) {
            TensorImpl moved = t.own(Elementwise.add(a, eps, true));
            TensorImpl log = t.own(Pointwise.log(moved));
            TensorImpl product = t.own(Elementwise.mul(target, log));
            return Elementwise.sub(a, product, 1);
        }
    }

    private static void addStirling(TensorImpl losses, TensorImpl target) {
        try (Temps t = new Temps()) {
            TensorImpl stirling;
            try (Temps u = new Temps()) {
                TensorImpl circle = u.own(Elementwise.mul(target, 2 * Math.PI, false));
                TensorImpl last = u.own(Elementwise.mul(u.own(Pointwise.log(circle)), 0.5, false));
                TensorImpl product = u.own(Elementwise.mul(target, u.own(Pointwise.log(target))));
                stirling = t.own(Elementwise.add(u.own(Elementwise.sub(product, target, 1)), last, 1));
            }
            TensorImpl small = t.own(Elementwise.compare(ElementOp.LE_SCALAR, target, 1));
            InPlace.add(losses, t.own(Selection.maskedFill(stirling, small, 0)), 1);
        }
    }

    /** As PyTorch looks before it computes. */
    private static void refuseNegative(TensorImpl variance) {
        try (Temps t = new Temps()) {
            TensorImpl below = t.own(Elementwise.compare(ElementOp.LT, variance, 0));
            TensorImpl any = t.own(Reductions.truth(below, false, Reductions.ALL, false));
            t.free(below);
            if (variance.driver().kernels().computes() && Elements.truth(Elements.only(any))) {
                throw new TensorException("gaussian_nll_loss was given a variance of shape "
                        + Shape.text(variance.shape())
                        + ": var has negative entry/entries. Give squares, or softplus of what is learned.");
            }
        }
    }

    /** (log(var) + (a - target)^2 / var) / 2, var at least eps. */
    public static TensorImpl gaussianNll(TensorImpl a, TensorImpl target, TensorImpl variance, boolean full, double eps,
            Reduction reduction) {
        refuseNegative(variance);
        try (Temps t = new Temps()) {
            TensorImpl var = t.own(Copies.clone(variance));
            try (GradMode.State off = GradMode.enter(false)) {
                InPlace.clamp(var, eps, Double.POSITIVE_INFINITY);
            }
            TensorImpl log = t.own(Pointwise.log(var));
            TensorImpl difference = t.own(Elementwise.sub(a, target, 1));
            TensorImpl square = t.own(Pointwise.pow(difference, 2));
            t.free(difference);
            TensorImpl ratio = t.own(Elementwise.div(square, var));
            t.free(square);
            TensorImpl both = t.own(Elementwise.add(log, ratio, 1));
            t.free(ratio);
            t.free(log);
            TensorImpl losses = t.own(Elementwise.mul(both, 0.5, false));
            t.free(both);
            if (full) {
                InPlace.add(losses, 0.5 * Math.log(2 * Math.PI));
            }
            return Losses.reduced(losses, reduction);
        }
    }
}
