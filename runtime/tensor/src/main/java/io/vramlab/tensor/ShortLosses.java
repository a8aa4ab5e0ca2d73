package io.vramlab.tensor;

import io.vramlab.tensor.ops.loss.Reduction;

/** {@link Functional}'s losses as PyTorch's are most often called: what is left out has the value that it has there. */
abstract class ShortLosses extends ShortForms {

    /** {@code mseLoss} with PyTorch's defaults: the mean. */
    public static Tensor mseLoss(Tensor x, Tensor target) {
        return Functional.mseLoss(x, target, Reduction.MEAN);
    }

    /** {@code l1Loss} with PyTorch's defaults: the mean. */
    public static Tensor l1Loss(Tensor x, Tensor target) {
        return Functional.l1Loss(x, target, Reduction.MEAN);
    }

    /** {@code smoothL1Loss} with PyTorch's defaults: the mean, beta 1. */
    public static Tensor smoothL1Loss(Tensor x, Tensor target) {
        return Functional.smoothL1Loss(x, target, Reduction.MEAN, 1);
    }

    /** {@code smoothL1Loss} with PyTorch's defaults: the mean. */
    public static Tensor smoothL1Loss(Tensor x, Tensor target, double beta) {
        return Functional.smoothL1Loss(x, target, Reduction.MEAN, beta);
    }

    /** {@code huberLoss} with PyTorch's defaults: the mean, delta 1. */
    public static Tensor huberLoss(Tensor x, Tensor target) {
        return Functional.huberLoss(x, target, Reduction.MEAN, 1);
    }

    /** {@code huberLoss} with PyTorch's defaults: the mean. */
    public static Tensor huberLoss(Tensor x, Tensor target, double delta) {
        return Functional.huberLoss(x, target, Reduction.MEAN, delta);
    }

    /** {@code binaryCrossEntropy} with PyTorch's defaults: the mean. */
    public static Tensor binaryCrossEntropy(Tensor x, Tensor target) {
        return Functional.binaryCrossEntropy(x, target, null, Reduction.MEAN);
    }

    /** {@code binaryCrossEntropy} with PyTorch's defaults: no weights. */
    public static Tensor binaryCrossEntropy(Tensor x, Tensor target, Reduction reduction) {
        return Functional.binaryCrossEntropy(x, target, null, reduction);
    }

    /** {@code binaryCrossEntropyWithLogits} with PyTorch's defaults: the mean. */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(x, target, Reduction.MEAN);
    }

    /** {@code crossEntropy} with PyTorch's defaults: no weights. */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Reduction reduction) {
        return Functional.crossEntropy(logits, target, reduction, Functional.IGNORE_INDEX);
    }

    /** {@code crossEntropy} with PyTorch's defaults: the mean of the others. */
    public static Tensor crossEntropy(Tensor logits, Tensor target, long ignoreIndex) {
        return Functional.crossEntropy(logits, target, Reduction.MEAN, ignoreIndex);
    }

    /** {@code crossEntropy} with PyTorch's defaults: the mean. */
    public static Tensor crossEntropy(Tensor logits, Tensor target, double labelSmoothing) {
        return Functional.crossEntropy(logits, target, null, Reduction.MEAN, Functional.IGNORE_INDEX, labelSmoothing);
    }

    /** {@code nllLoss} with PyTorch's defaults: the mean. */
    public static Tensor nllLoss(Tensor log, Tensor target) {
        return Functional.nllLoss(log, target, Reduction.MEAN, Functional.IGNORE_INDEX);
    }

    /** {@code nllLoss} with PyTorch's defaults: no weights. */
    public static Tensor nllLoss(Tensor log, Tensor target, Reduction reduction) {
        return Functional.nllLoss(log, target, reduction, Functional.IGNORE_INDEX);
    }

    /** {@code klDiv} with PyTorch's defaults: the mean of all elements, a target of probabilities. */
    public static Tensor klDiv(Tensor x, Tensor target) {
        return Functional.klDiv(x, target, Reduction.MEAN, false);
    }

    /** {@code klDiv} with PyTorch's defaults: a target of probabilities. */
    public static Tensor klDiv(Tensor x, Tensor target, Reduction reduction) {
        return Functional.klDiv(x, target, reduction, false);
    }

    /** {@code poissonNllLoss} with PyTorch's defaults: the mean, logarithms in. */
    public static Tensor poissonNllLoss(Tensor x, Tensor target) {
        return Functional.poissonNllLoss(x, target, true, false, 1e-8, Reduction.MEAN);
    }

    /** {@code gaussianNllLoss} with PyTorch's defaults: the mean. */
    public static Tensor gaussianNllLoss(Tensor x, Tensor target, Tensor var) {
        return Functional.gaussianNllLoss(x, target, var, false, 1e-6, Reduction.MEAN);
    }

    /** {@code softMarginLoss} with PyTorch's defaults: the mean. */
    public static Tensor softMarginLoss(Tensor x, Tensor target) {
        return Functional.softMarginLoss(x, target, Reduction.MEAN);
    }

    /** {@code hingeEmbeddingLoss} with PyTorch's defaults: the mean, margin 1. */
    public static Tensor hingeEmbeddingLoss(Tensor x, Tensor target) {
        return Functional.hingeEmbeddingLoss(x, target, 1, Reduction.MEAN);
    }

    /** {@code marginRankingLoss} with PyTorch's defaults: the mean, margin 0. */
    public static Tensor marginRankingLoss(Tensor x1, Tensor x2, Tensor target) {
        return Functional.marginRankingLoss(x1, x2, target, 0, Reduction.MEAN);
    }

    /** {@code cosineEmbeddingLoss} with PyTorch's defaults: the mean, margin 0. */
    public static Tensor cosineEmbeddingLoss(Tensor x1, Tensor x2, Tensor target) {
        return Functional.cosineEmbeddingLoss(x1, x2, target, 0, Reduction.MEAN);
    }

    /** {@code multilabelMarginLoss} with PyTorch's defaults: the mean. */
    public static Tensor multilabelMarginLoss(Tensor x, Tensor target) {
        return Functional.multilabelMarginLoss(x, target, Reduction.MEAN);
    }

    /** {@code tripletMarginLoss} with PyTorch's defaults: the mean, margin 1. */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative) {
        return Functional.tripletMarginLoss(anchor, positive, negative, 1, 2, 1e-6, false, Reduction.MEAN);
    }

    /** {@code tripletMarginLoss} with PyTorch's defaults: the mean. */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative, double margin) {
        return Functional.tripletMarginLoss(anchor, positive, negative, margin, 2, 1e-6, false, Reduction.MEAN);
    }

    /** {@code pairwiseDistance} with PyTorch's defaults: Euclidean. */
    public static Tensor pairwiseDistance(Tensor x1, Tensor x2) {
        return Functional.pairwiseDistance(x1, x2, 2, 1e-6, false);
    }

    /** {@code ctcLoss} with PyTorch's defaults: the mean, class 0 blank. */
    public static Tensor ctcLoss(Tensor logProbs, Tensor targets, long[] inputLengths, long[] targetLengths) {
        return Functional.ctcLoss(logProbs, targets, inputLengths, targetLengths, 0, Reduction.MEAN, false);
    }
}
