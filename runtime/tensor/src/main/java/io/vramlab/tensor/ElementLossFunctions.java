package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.loss.Losses;
import io.vramlab.tensor.internal.ops.loss.PairLosses;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s losses of an output beside a target, element by element. Shapes of input and target are equal,
 * or broadcast, unless said otherwise. On the way all losses are a tensor, also where a scalar is wanted
 * (docs/footprint.md, "Losses and softmax").
 */
abstract sealed class ElementLossFunctions extends FoldingFunctions permits LikelihoodLossFunctions {

    /**
     * {@code mseLoss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.mse_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor mseLoss(Tensor x, Tensor target) {
        return Functional.mseLoss(x, target, Reduction.MEAN);
    }

    /**
     * Squared error. As {@code torch.nn.functional.mse_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps both; under autocast
     *         in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor mseLoss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> Losses.mse(a[0], a[1], reduction), x, target);
    }

    /**
     * {@code l1Loss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.l1_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @return a new scalar; backward keeps the differences, a tensor of their own; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor l1Loss(Tensor x, Tensor target) {
        return Functional.l1Loss(x, target, Reduction.MEAN);
    }

    /**
     * Absolute error. As {@code torch.nn.functional.l1_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps the differences, a
     *         tensor of their own; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor l1Loss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> Losses.l1(a[0], a[1], reduction), x, target);
    }

    /**
     * {@code smoothL1Loss} with PyTorch's defaults: the mean, beta 1. As {@code torch.nn.functional.smooth_l1_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             for a negative beta; if the shapes do not broadcast (sizes equal, or one of them 1), or the devices
     *             differ
     */
    public static Tensor smoothL1Loss(Tensor x, Tensor target) {
        return Functional.smoothL1Loss(x, target, Reduction.MEAN, 1);
    }

    /**
     * {@code smoothL1Loss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.smooth_l1_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @param beta
     *            where the square ends, 0 or more; 1 by default
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             for a negative beta; if the shapes do not broadcast (sizes equal, or one of them 1), or the devices
     *             differ
     */
    public static Tensor smoothL1Loss(Tensor x, Tensor target, double beta) {
        return Functional.smoothL1Loss(x, target, Reduction.MEAN, beta);
    }

    /**
     * Squared error within beta of the target, absolute beyond. As {@code torch.nn.functional.smooth_l1_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param beta
     *            where the square ends, 0 or more; 1 by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps both; under autocast
     *         in float32
     * @throws TensorException
     *             for a negative beta; if the shapes do not broadcast (sizes equal, or one of them 1), or the devices
     *             differ
     */
    public static Tensor smoothL1Loss(Tensor x, Tensor target, Reduction reduction, double beta) {
        return Calls.full(a -> Losses.smoothL1(a[0], a[1], reduction, beta), x, target);
    }

    /**
     * {@code huberLoss} with PyTorch's defaults: the mean, delta 1. As {@code torch.nn.functional.huber_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             unless delta is positive; if the shapes do not broadcast (sizes equal, or one of them 1), or the
     *             devices differ
     */
    public static Tensor huberLoss(Tensor x, Tensor target) {
        return Functional.huberLoss(x, target, Reduction.MEAN, 1);
    }

    /**
     * {@code huberLoss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.huber_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @param delta
     *            where the square ends, above 0; 1 by default
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             unless delta is positive; if the shapes do not broadcast (sizes equal, or one of them 1), or the
     *             devices differ
     */
    public static Tensor huberLoss(Tensor x, Tensor target, double delta) {
        return Functional.huberLoss(x, target, Reduction.MEAN, delta);
    }

    /**
     * Squared error up to a distance of delta, delta times the absolute beyond. As
     * {@code torch.nn.functional.huber_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            what it should be, of that shape
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @param delta
     *            where the square ends, above 0; 1 by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps both; under autocast
     *         in float32
     * @throws TensorException
     *             unless delta is positive; if the shapes do not broadcast (sizes equal, or one of them 1), or the
     *             devices differ
     */
    public static Tensor huberLoss(Tensor x, Tensor target, Reduction reduction, double delta) {
        return Calls.full(a -> PairLosses.huber(a[0], a[1], reduction, delta), x, target);
    }

    /**
     * {@code softMarginLoss} with PyTorch's defaults: the mean. As {@code torch.nn.functional.soft_margin_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            1 or -1
     * @return a new scalar; backward keeps both; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor softMarginLoss(Tensor x, Tensor target) {
        return Functional.softMarginLoss(x, target, Reduction.MEAN);
    }

    /**
     * log(1 + exp(-target x)); targets are 1 and -1. As {@code torch.nn.functional.soft_margin_loss}.
     *
     * @param x
     *            output, of any shape
     * @param target
     *            1 or -1
     * @param reduction
     *            what becomes of the losses; the mean by default
     * @return a new scalar, or with {@link Reduction#NONE} a tensor of all losses; backward keeps both; under autocast
     *         in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor softMarginLoss(Tensor x, Tensor target, Reduction reduction) {
        return Calls.full(a -> PairLosses.softMargin(a[0], a[1], reduction), x, target);
    }
}
