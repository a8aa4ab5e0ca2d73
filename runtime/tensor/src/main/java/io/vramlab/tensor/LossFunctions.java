package io.vramlab.tensor;

import io.vramlab.tensor.core.AutocastMode;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.ops.loss.ClassLosses;
import io.vramlab.tensor.ops.loss.Losses;
import io.vramlab.tensor.ops.loss.PairLosses;
import io.vramlab.tensor.ops.loss.Reduction;
import io.vramlab.tensor.ops.matrix.Distances;

/**
 * {@link Functional}'s losses: a scalar, or one number per element or row with {@link Reduction#NONE}. Shapes of input
 * and target are equal, or broadcast, unless said otherwise.
 */
abstract class LossFunctions extends ActivationFunctions {

    /** PyTorch's default for targets that do not count. */
    public static final long IGNORE_INDEX = -100;

    /** Mean cross-entropy of logits [n, classes] and int64 classes [n]; see the form with all settings. */
    public static Tensor crossEntropy(Tensor logits, Tensor target) {
        return crossEntropy(logits, target, Reduction.MEAN, IGNORE_INDEX);
    }

    /** Cross-entropy of logits [n, classes] and int64 classes [n]; see the form with all settings. */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Reduction reduction, long ignoreIndex) {
        return crossEntropy(logits, target, null, reduction, ignoreIndex, 0);
    }

    /**
     * Cross-entropy of logits [classes], [n, classes] or [n, classes, d1, …] and int64 classes [], [n] or [n, d1, …], or
     * probabilities of the logits' shape.
     *
     * @param weight
     *            of each class, [classes], or null
     * @param ignoreIndex
     *            a class that does not count
     * @param labelSmoothing
     *            share of the target that is spread over all classes, in [0, 1]
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Tensor weight, Reduction reduction,
            long ignoreIndex, double labelSmoothing) {
        return Calls.call(a -> ClassLosses.crossEntropy(a[0], a[1],
                new ClassLosses.Options(a[2], reduction, ignoreIndex, labelSmoothing)), logits, target, weight);
    }

    /** Negative log likelihood of log-probabilities [n, classes] and int64 classes [n]. */
    public static Tensor nllLoss(Tensor log, Tensor target, Reduction reduction, long ignoreIndex) {
        return nllLoss(log, target, null, reduction, ignoreIndex);
    }

    /** Negative log likelihood; shapes and weight as {@link #crossEntropy}'s. */
    public static Tensor nllLoss(Tensor log, Tensor target, Tensor weight, Reduction reduction, long ignoreIndex) {
        return Calls.full(a -> ClassLosses.nll(a[0], a[1], new ClassLosses.Options(a[2], reduction, ignoreIndex, 0)),
                log, target, weight);
    }

    /** Squared error. */
    public static Tensor mseLoss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> Losses.mse(a[0], a[1], reduction), x, target);
    }

    /** Absolute error. */
    public static Tensor l1Loss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> Losses.l1(a[0], a[1], reduction), x, target);
    }

    /** Squared error within beta of the target, absolute beyond. */
    public static Tensor smoothL1Loss(Tensor x, Tensor target, Reduction reduction, double beta) {
        return Calls.full(a -> Losses.smoothL1(a[0], a[1], reduction, beta), x, target);
    }

    /** Squared error up to a distance of delta, delta times the absolute beyond. */
    public static Tensor huberLoss(Tensor x, Tensor target, Reduction reduction, double delta) {
        return Calls.full(a -> PairLosses.huber(a[0], a[1], reduction, delta), x, target);
    }

    /**
     * Binary cross-entropy of probabilities; weight broadcasts, or is null.
     *
     * @throws TensorException
     *             under autocast, as in PyTorch: its logarithm does not survive float16
     */
    public static Tensor binaryCrossEntropy(Tensor x, Tensor target, Tensor weight, Reduction reduction) {
        if (AutocastMode.dtype() != null) {
            throw new TensorException("binaryCrossEntropy was asked for under autocast: torch.nn.functional."
                    + "binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast. Leave the sigmoid out and use "
                    + "binaryCrossEntropyWithLogits.");
        }
        return Calls.call(a -> PairLosses.bce(a[0], a[1], a[2], reduction), x, target, weight);
    }

    /** Binary cross-entropy of sigmoid(x); target in [0, 1] of the same shape. */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> Losses.bceWithLogits(a[0], a[1], reduction), x, target);
    }

    /** Divergence of log-probabilities x from probabilities, or with logTarget from log-probabilities. */
    public static Tensor klDiv(Tensor x, Tensor target, Reduction reduction, boolean logTarget) {
        return Calls.full(a -> PairLosses.klDiv(a[0], a[1], reduction, logTarget), x, target);
    }

    /** exp(x) - target x, or with logInput false x - target log(x + eps); full adds Stirling's term. */
    public static Tensor poissonNllLoss(Tensor x, Tensor target, boolean logInput, boolean full, double eps,
            Reduction reduction) {
        return Calls.full(a -> PairLosses.poissonNll(a[0], a[1], logInput, full, eps, reduction), x, target);
    }

    /** (log(var) + (x - target)^2 / var) / 2, var at least eps; full adds the constant. */
    public static Tensor gaussianNllLoss(Tensor x, Tensor target, Tensor var, boolean full, double eps,
            Reduction reduction) {
        return Calls.call(a -> PairLosses.gaussianNll(a[0], a[1], a[2], full, eps, reduction), x, target, var);
    }

    /** log(1 + exp(-target x)); targets are 1 and -1. */
    public static Tensor softMarginLoss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> PairLosses.softMargin(a[0], a[1], reduction), x, target);
    }

    /** x where the target is 1, max(0, margin - x) where it is -1. */
    public static Tensor hingeEmbeddingLoss(Tensor x, Tensor target, double margin, Reduction reduction) {
        return Calls.full(a -> PairLosses.hingeEmbedding(a[0], a[1], margin, reduction), x, target);
    }

    /** max(0, margin - target (x1 - x2)). */
    public static Tensor marginRankingLoss(Tensor x1, Tensor x2, Tensor target, double margin, Reduction reduction) {
        return Calls.full(a -> PairLosses.marginRanking(a[0], a[1], a[2], margin, reduction), x1, x2, target);
    }

    /** 1 - cosine where the target is 1, max(0, cosine - margin) where it is -1: rows [n, width], targets [n]. */
    public static Tensor cosineEmbeddingLoss(Tensor x1, Tensor x2, Tensor target, double margin,
            Reduction reduction) {
        return Calls.full(a -> PairLosses.cosineEmbedding(a[0], a[1], a[2], margin, reduction), x1, x2, target);
    }

    /** max(0, margin + d(anchor, positive) - d(anchor, negative)) of p-norm distances between rows. */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative, double margin, double p,
            double eps, boolean swap, Reduction reduction) {
        return Calls.full(a -> PairLosses.tripletMargin(a[0], a[1], a[2], margin, p, eps, swap, reduction), anchor,
                positive, negative);
    }

    /** The p-norm of x1 - x2 + eps along the last dimension; p is 1, 2 or infinity. */
    public static Tensor pairwiseDistance(Tensor x1, Tensor x2, double p, double eps, boolean keepDim) {
        return Calls.call(a -> Distances.pairwise(a[0], a[1], p, eps, keepDim), x1, x2);
    }
}
