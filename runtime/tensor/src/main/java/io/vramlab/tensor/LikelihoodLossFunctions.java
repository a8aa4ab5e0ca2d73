package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.loss.Losses;
import io.vramlab.tensor.internal.ops.loss.PairLosses;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s losses that are negative log-likelihoods, element by element: of yes and no, of counts, of
 * normal values, and how one distribution diverges from another. On the way all losses are a tensor.
 */
abstract sealed class LikelihoodLossFunctions extends ElementLossFunctions permits ClassLossFunctions {

    /**
     * {@code binaryCrossEntropy} with PyTorch's defaults: the mean. As
     * {@code torch.nn.functional.binary_cross_entropy}.
     *
     * @param x
     *            probabilities, from 0 to 1
     * @param target
     *            probabilities of x's shape
     * @return a new scalar; backward keeps x and target
     * @throws TensorException
     *             under autocast, as in PyTorch: its logarithm does not survive float16; if the shapes differ
     */
    public static Tensor binaryCrossEntropy(Tensor x, Tensor target) {
        return Functional.binaryCrossEntropy(x, target, null, Reduction.MEAN);
    }

    /**
     * {@code binaryCrossEntropy} with PyTorch's defaults: no weights. As
     * {@code torch.nn.functional.binary_cross_entropy}.
     *
     * @param x
     *            probabilities, from 0 to 1
     * @param target
     *            probabilities of x's shape
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps x and target
     * @throws TensorException
     *             under autocast, as in PyTorch: its logarithm does not survive float16; if the shapes differ
     */
    public static Tensor binaryCrossEntropy(Tensor x, Tensor target, Reduction reduction) {
        return Functional.binaryCrossEntropy(x, target, null, reduction);
    }

    /**
     * Binary cross-entropy of probabilities; weight broadcasts, or is null. As
     * {@code torch.nn.functional.binary_cross_entropy}.
     *
     * @param x
     *            probabilities, from 0 to 1
     * @param target
     *            probabilities of x's shape
     * @param weight
     *            factor of each loss, broadcast, or null; none by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps x, target and weight
     * @throws TensorException
     *             under autocast, as in PyTorch: its logarithm does not survive float16; if the shapes differ
     */
    public static Tensor binaryCrossEntropy(Tensor x, Tensor target, Tensor weight, Reduction reduction) {
        if (AutocastMode.dtype() != null) {
            throw new TensorException("binaryCrossEntropy was asked for under autocast: torch.nn.functional."
                    + "binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast. Leave the sigmoid out and use "
                    + "binaryCrossEntropyWithLogits.");
        }
        return Calls.call(a -> PairLosses.bce(a[0], a[1], a[2], reduction), x, target, weight);
    }

    /**
     * {@code binaryCrossEntropyWithLogits} with PyTorch's defaults: the mean. As
     * {@code torch.nn.functional.binary_cross_entropy_with_logits}.
     *
     * @param x
     *            logits
     * @param target
     *            from 0 to 1, of x's shape
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             if the shapes differ
     */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(x, target, Reduction.MEAN);
    }

    /**
     * Binary cross-entropy of sigmoid(x); target in [0, 1] of the same shape. As
     * {@code torch.nn.functional.binary_cross_entropy_with_logits}.
     *
     * @param x
     *            logits
     * @param target
     *            from 0 to 1, of x's shape
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps both; under autocast
     *         in float32
     * @throws TensorException
     *             if the shapes differ
     */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target, Reduction reduction) {
        return Functional.binaryCrossEntropyWithLogits(x, target, null, null, reduction);
    }

    /**
     * Binary cross-entropy of sigmoid(x), weighted. As {@code torch.nn.functional.binary_cross_entropy_with_logits}.
     *
     * @param x
     *            logits
     * @param target
     *            from 0 to 1, of x's shape
     * @param weight
     *            of each loss, broadcast to x's shape; or null
     * @param posWeight
     *            of what is true, broadcast to x's shape, for instance [classes]; or null
     * @return a new scalar, the mean; backward keeps all four; under autocast in float32
     * @throws TensorException
     *             if the shapes differ
     */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target, Tensor weight, Tensor posWeight) {
        return Functional.binaryCrossEntropyWithLogits(x, target, weight, posWeight, Reduction.MEAN);
    }

    /**
     * Binary cross-entropy of sigmoid(x), weighted. As {@code torch.nn.functional.binary_cross_entropy_with_logits}.
     *
     * @param x
     *            logits
     * @param target
     *            from 0 to 1, of x's shape
     * @param weight
     *            of each loss, broadcast to x's shape; or null
     * @param posWeight
     *            of what is true, broadcast to x's shape, for instance [classes]; or null
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps all four; under
     *         autocast in float32
     * @throws TensorException
     *             if the shapes differ
     */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target, Tensor weight, Tensor posWeight,
            Reduction reduction) {
        return Calls.full(a -> Losses.bceWithLogits(a[0], a[1], a[2], a[3], reduction), x, target, weight, posWeight);
    }

    /**
     * {@code klDiv} with PyTorch's defaults: the mean of all elements, a target of probabilities. As
     * {@code torch.nn.functional.kl_div}.
     *
     * @param x
     *            log-probabilities
     * @param target
     *            probabilities, or their logarithms
     * @return a new scalar; composed: backward keeps the target, and x if the target's gradient is wanted; under
     *         autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor klDiv(Tensor x, Tensor target) {
        return Functional.klDiv(x, target, Reduction.MEAN, false);
    }

    /**
     * {@code klDiv} with PyTorch's defaults: a target of probabilities. As {@code torch.nn.functional.kl_div}.
     *
     * @param x
     *            log-probabilities
     * @param target
     *            probabilities, or their logarithms
     * @param reduction
     *            what becomes of the losses; by default the mean of all elements, not of the rows
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; composed: backward keeps the target,
     *         and x if the target's gradient is wanted; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor klDiv(Tensor x, Tensor target, Reduction reduction) {
        return Functional.klDiv(x, target, reduction, false);
    }

    /**
     * Divergence of log-probabilities x from probabilities, or with logTarget from log-probabilities. As
     * {@code torch.nn.functional.kl_div}.
     *
     * @param x
     *            log-probabilities
     * @param target
     *            probabilities, or their logarithms
     * @param reduction
     *            what becomes of the losses; by default the mean of all elements, not of the rows
     * @param logTarget
     *            whether the target is of logarithms; false by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; composed: backward keeps the target,
     *         and x if the target's gradient is wanted; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor klDiv(Tensor x, Tensor target, Reduction reduction, boolean logTarget) {
        return Calls.full(a -> PairLosses.klDiv(a[0], a[1], reduction, logTarget), x, target);
    }

    /**
     * {@code poissonNllLoss} with PyTorch's defaults: the mean, logarithms in. As
     * {@code torch.nn.functional.poisson_nll_loss}.
     *
     * @param x
     *            rates or their logarithms
     * @param target
     *            counts
     * @return a new scalar; composed: backward keeps what products and exponentials need; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor poissonNllLoss(Tensor x, Tensor target) {
        return Functional.poissonNllLoss(x, target, true, false, 1e-8, Reduction.MEAN);
    }

    /**
     * exp(x) - target x, or with logInput false x - target log(x + eps); full adds Stirling's term. As
     * {@code torch.nn.functional.poisson_nll_loss}.
     *
     * @param x
     *            rates or their logarithms
     * @param target
     *            counts
     * @param logInput
     *            whether x is of logarithms; true by default
     * @param full
     *            whether the terms that the input does not change are added; false by default
     * @param eps
     *            added to a rate before its logarithm is taken; 1e-8 by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; composed: backward keeps what
     *         products and exponentials need; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor poissonNllLoss(Tensor x, Tensor target, boolean logInput, boolean full, double eps,
            Reduction reduction) {
        return Calls.full(a -> PairLosses.poissonNll(a[0], a[1], logInput, full, eps, reduction), x, target);
    }

    /**
     * {@code gaussianNllLoss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.gaussian_nll_loss}.
     *
     * @param x
     *            expected values
     * @param target
     *            what was seen, of x's shape
     * @param var
     *            variances, 0 or more, of x's shape or with the last size 1 or missing
     * @return a new scalar; composed: squares, quotients and the bounded variances are tensors, which backward keeps
     * @throws TensorException
     *             if a variance is negative or their shape does not fit
     */
    public static Tensor gaussianNllLoss(Tensor x, Tensor target, Tensor var) {
        return Functional.gaussianNllLoss(x, target, var, false, 1e-6, Reduction.MEAN);
    }

    /**
     * (log(var) + (x - target)^2 / var) / 2, var at least eps; full adds the constant. As
     * {@code torch.nn.functional.gaussian_nll_loss}.
     *
     * @param x
     *            expected values
     * @param target
     *            what was seen, of x's shape
     * @param var
     *            variances, 0 or more, of x's shape or with the last size 1 or missing
     * @param full
     *            whether the terms that the input does not change are added; false by default
     * @param eps
     *            least variance; 1e-6 by default
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; composed: squares, quotients and the
     *         bounded variances are tensors, which backward keeps
     * @throws TensorException
     *             if a variance is negative or their shape does not fit
     */
    public static Tensor gaussianNllLoss(Tensor x, Tensor target, Tensor var, boolean full, double eps,
            Reduction reduction) {
        return Calls.call(a -> PairLosses.gaussianNll(a[0], a[1], a[2], full, eps, reduction), x, target, var);
    }
}
