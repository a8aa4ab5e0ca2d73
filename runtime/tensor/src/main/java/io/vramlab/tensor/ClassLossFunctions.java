package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.loss.ClassLosses;
import io.vramlab.tensor.internal.ops.loss.Ctc;
import io.vramlab.tensor.internal.ops.loss.MarginLosses;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s losses of classes: a scalar, or one number a row with {@link Reduction#NONE}. Targets are int64
 * class numbers unless said otherwise.
 */
abstract sealed class ClassLossFunctions extends LikelihoodLossFunctions permits PairLossFunctions {

    /** PyTorch's default for targets that do not count. */
    public static final long IGNORE_INDEX = -100;

    /**
     * Cross-entropy of logits and classes; see the form with all settings. As
     * {@code torch.nn.functional.cross_entropy}.
     *
     * @param logits
     *            [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @return a new scalar; the log-probabilities, a tensor of the logits' size, stay for backward; under autocast in
     *         float32
     * @throws TensorException
     *             if the batches differ, or the target is not int64
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target) {
        return crossEntropy(logits, target, Reduction.MEAN, IGNORE_INDEX);
    }

    /**
     * Cross-entropy of logits and classes; see the form with all settings. As
     * {@code torch.nn.functional.cross_entropy}.
     *
     * @param logits
     *            [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or all losses; the log-probabilities, a tensor of the logits' size, stay for backward;
     *         under autocast in float32
     * @throws TensorException
     *             if the batches differ, or the target is not int64
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Reduction reduction) {
        return Functional.crossEntropy(logits, target, reduction, Functional.IGNORE_INDEX);
    }

    /**
     * Cross-entropy of logits and classes; see the form with all settings. As
     * {@code torch.nn.functional.cross_entropy}.
     *
     * @param logits
     *            [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param ignoreIndex
     *            a class that does not count; {@link #IGNORE_INDEX} by default
     * @return a new scalar; the log-probabilities, a tensor of the logits' size, stay for backward; under autocast in
     *         float32
     * @throws TensorException
     *             if the batches differ, or the target is not int64
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target, long ignoreIndex) {
        return Functional.crossEntropy(logits, target, Reduction.MEAN, ignoreIndex);
    }

    /**
     * Cross-entropy of logits and classes; see the form with all settings. As
     * {@code torch.nn.functional.cross_entropy}.
     *
     * @param logits
     *            [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param labelSmoothing
     *            share of the target that is spread over all classes, from 0 to 1; 0 by default
     * @return a new scalar; the log-probabilities, a tensor of the logits' size, stay for backward; under autocast in
     *         float32
     * @throws TensorException
     *             if the batches differ, or the target is not int64
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target, double labelSmoothing) {
        return Functional.crossEntropy(logits, target, null, Reduction.MEAN, Functional.IGNORE_INDEX, labelSmoothing);
    }

    /**
     * Cross-entropy of logits and classes; see the form with all settings. As
     * {@code torch.nn.functional.cross_entropy}.
     *
     * @param logits
     *            [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param ignoreIndex
     *            a class that does not count; {@link #IGNORE_INDEX} by default
     * @return a new scalar, or all losses; the log-probabilities, a tensor of the logits' size, stay for backward;
     *         under autocast in float32
     * @throws TensorException
     *             if the batches differ, or the target is not int64
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Reduction reduction, long ignoreIndex) {
        return crossEntropy(logits, target, null, reduction, ignoreIndex, 0);
    }

    /**
     * Cross-entropy of logits [classes], [n, classes] or [n, classes, d1, …] and int64 classes [], [n] or [n, d1, …],
     * or probabilities of the logits' shape. As {@code torch.nn.functional.cross_entropy}.
     *
     * @param logits
     *            [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …], or probabilities of the logits' shape
     * @param weight
     *            of each class, [classes], or null; none by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param ignoreIndex
     *            a class that does not count; {@link #IGNORE_INDEX} by default
     * @param labelSmoothing
     *            share of the target that is spread over all classes, from 0 to 1; 0 by default
     * @return a new scalar, or all losses; the log-probabilities, a tensor of the logits' size, stay for backward;
     *         under autocast in float32
     * @throws TensorException
     *             if shapes do not fit, a target of classes is not int64, or the share is outside of [0, 1]
     */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Tensor weight, Reduction reduction,
            long ignoreIndex, double labelSmoothing) {
        return Calls.call(a -> ClassLosses.crossEntropy(a[0], a[1],
                new ClassLosses.Options(a[2], reduction, ignoreIndex, labelSmoothing)), logits, target, weight);
    }

    /**
     * {@code nllLoss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.nll_loss}.
     *
     * @param log
     *            log-probabilities [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @return a new scalar; backward keeps log, target and the sum of weights; under autocast in float32
     * @throws TensorException
     *             if the batches differ, the target is not int64, or there is not one weight a class
     */
    public static Tensor nllLoss(Tensor log, Tensor target) {
        return Functional.nllLoss(log, target, Reduction.MEAN, Functional.IGNORE_INDEX);
    }

    /**
     * {@code nllLoss} with PyTorch's defaults: no weights. As {@code torch.nn.functional.nll_loss}.
     *
     * @param log
     *            log-probabilities [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or all losses; backward keeps log, target and the sum of weights; under autocast in float32
     * @throws TensorException
     *             if the batches differ, the target is not int64, or there is not one weight a class
     */
    public static Tensor nllLoss(Tensor log, Tensor target, Reduction reduction) {
        return Functional.nllLoss(log, target, reduction, Functional.IGNORE_INDEX);
    }

    /**
     * Negative log likelihood of log-probabilities [n, classes] and int64 classes [n]. As
     * {@code torch.nn.functional.nll_loss}.
     *
     * @param log
     *            log-probabilities [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param ignoreIndex
     *            a class that does not count; {@link #IGNORE_INDEX} by default
     * @return a new scalar, or all losses; backward keeps log, target and the sum of weights; under autocast in float32
     * @throws TensorException
     *             if the batches differ, the target is not int64, or there is not one weight a class
     */
    public static Tensor nllLoss(Tensor log, Tensor target, Reduction reduction, long ignoreIndex) {
        return nllLoss(log, target, null, reduction, ignoreIndex);
    }

    /**
     * Negative log likelihood; shapes and weight as {@link #crossEntropy}'s. As {@code torch.nn.functional.nll_loss}.
     *
     * @param log
     *            log-probabilities [classes], [n, classes] or [n, classes, d1, …]
     * @param target
     *            int64 classes [], [n] or [n, d1, …]
     * @param weight
     *            of each class, [classes], or null; none by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param ignoreIndex
     *            a class that does not count; {@link #IGNORE_INDEX} by default
     * @return a new scalar, or all losses; backward keeps log, target and the sum of weights; under autocast in float32
     * @throws TensorException
     *             if the batches differ, the target is not int64, or there is not one weight a class
     */
    public static Tensor nllLoss(Tensor log, Tensor target, Tensor weight, Reduction reduction, long ignoreIndex) {
        return Calls.full(a -> ClassLosses.nll(a[0], a[1], new ClassLosses.Options(a[2], reduction, ignoreIndex, 0)),
                log, target, weight);
    }

    /**
     * Mean over classes of max(0, margin - x[y] + x[i])^p, y the target. As
     * {@code torch.nn.functional.multi_margin_loss}.
     *
     * @param x
     *            [n, classes]
     * @param target
     *            int64 [n]
     * @return a new scalar; backward keeps x and target; under autocast in float32
     * @throws TensorException
     *             if shapes do not fit, or for another p
     */
    public static Tensor multiMarginLoss(Tensor x, Tensor target) {
        return multiMarginLoss(x, target, 1, 1, null, Reduction.MEAN);
    }

    /**
     * Mean over classes of max(0, margin - x[y] + x[i])^p, y the target. As
     * {@code torch.nn.functional.multi_margin_loss}.
     *
     * @param x
     *            [n, classes]
     * @param target
     *            int64 [n]
     * @param p
     *            1 or 2; 1 by default
     * @param margin
     *            1 by default
     * @param weight
     *            of each class, [classes], or null; none by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or all losses; backward keeps x and target; under autocast in float32
     * @throws TensorException
     *             if shapes do not fit, or for another p
     */
    public static Tensor multiMarginLoss(Tensor x, Tensor target, double p, double margin, Tensor weight,
            Reduction reduction) {
        return Calls.full(a -> MarginLosses.multiMargin(a[0], a[1], p, margin, a[2], reduction), x, target, weight);
    }

    /**
     * {@code multilabelMarginLoss} with PyTorch's defaults: the mean. As
     * {@code torch.nn.functional.multilabel_margin_loss}.
     *
     * @param x
     *            [n, classes] or [classes]
     * @param target
     *            int64 of x's shape: the classes that apply, then -1
     * @return a new scalar; backward keeps x, target and marks, a tensor of x's size; under autocast in float32
     * @throws TensorException
     *             if the shapes differ
     */
    public static Tensor multilabelMarginLoss(Tensor x, Tensor target) {
        return Functional.multilabelMarginLoss(x, target, Reduction.MEAN);
    }

    /**
     * Margins between the classes that a row of int64 names, up to the first -1, and all others. As
     * {@code torch.nn.functional.multilabel_margin_loss}.
     *
     * @param x
     *            [n, classes] or [classes]
     * @param target
     *            int64 of x's shape: the classes that apply, then -1
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or all losses; backward keeps x, target and marks, a tensor of x's size; under autocast in
     *         float32
     * @throws TensorException
     *             if the shapes differ
     */
    public static Tensor multilabelMarginLoss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> MarginLosses.multilabelMargin(a[0], a[1], reduction), x, target);
    }

    /**
     * Binary cross-entropy of each class, averaged over the classes. As
     * {@code torch.nn.functional.multilabel_soft_margin_loss}.
     *
     * @param x
     *            logits [n, classes]
     * @param target
     *            0 or 1, [n, classes]
     * @return a new scalar; composed of sigmoids, products and sums, of which backward keeps some; under autocast in
     *         float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor multilabelSoftMarginLoss(Tensor x, Tensor target) {
        return multilabelSoftMarginLoss(x, target, null, Reduction.MEAN);
    }

    /**
     * Binary cross-entropy of each class, averaged over the classes. As
     * {@code torch.nn.functional.multilabel_soft_margin_loss}.
     *
     * @param x
     *            logits [n, classes]
     * @param target
     *            0 or 1, [n, classes]
     * @param weight
     *            of each class, [classes], or null; none by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or one loss a row; composed of sigmoids, products and sums, of which backward keeps some;
     *         under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor multilabelSoftMarginLoss(Tensor x, Tensor target, Tensor weight, Reduction reduction) {
        return Calls.full(a -> MarginLosses.multilabelSoftMargin(a[0], a[1], a[2], reduction), x, target, weight);
    }

    /**
     * Connectionist temporal classification (Graves et al., 2006), computed on the host, whatever the device. As
     * {@code torch.nn.functional.ctc_loss}.
     *
     * @param logProbs
     *            [time, n, classes]
     * @param targets
     *            int64 classes [n, longest]
     * @param inputLengths
     *            how many times of each sequence count, n numbers
     * @param targetLengths
     *            how many classes of each target count, n numbers
     * @return a new scalar; backward keeps log-probabilities, targets, losses, and the forward variables [n, time, 2
     *         longest + 1]; under autocast in float32
     * @throws TensorException
     *             if shapes and lengths do not fit
     */
    public static Tensor ctcLoss(Tensor logProbs, Tensor targets, long[] inputLengths, long[] targetLengths) {
        return Functional.ctcLoss(logProbs, targets, inputLengths, targetLengths, 0, Reduction.MEAN, false);
    }

    /**
     * Connectionist temporal classification (Graves et al., 2006), computed on the host, whatever the device. As
     * {@code torch.nn.functional.ctc_loss}.
     *
     * @param logProbs
     *            [time, n, classes]
     * @param targets
     *            int64 classes [n, longest]
     * @param inputLengths
     *            how many times of each sequence count, n numbers
     * @param targetLengths
     *            how many classes of each target count, n numbers
     * @param blank
     *            the class that stands for none; 0 by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param zeroInfinity
     *            whether targets that do not fit their input count as 0; false by default
     * @return a new scalar, or all losses; backward keeps log-probabilities, targets, losses, and the forward variables
     *         [n, time, 2 longest + 1]; under autocast in float32
     * @throws TensorException
     *             if shapes and lengths do not fit
     */
    public static Tensor ctcLoss(Tensor logProbs, Tensor targets, long[] inputLengths, long[] targetLengths, long blank,
            Reduction reduction, boolean zeroInfinity) {
        return Calls.full(a -> Ctc.loss(a[0], a[1], inputLengths, targetLengths, (int) blank, reduction, zeroInfinity),
                logProbs, targets);
    }
}
