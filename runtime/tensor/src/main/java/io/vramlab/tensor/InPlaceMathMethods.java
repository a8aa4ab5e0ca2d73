package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.MoreInPlace;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s functions in place: each writes into this tensor's memory and returns this tensor. What backward
 * needs of the old values it keeps as a copy, as PyTorch does; without gradients nothing is allocated.
 */
abstract sealed class InPlaceMathMethods extends InPlaceMethods permits FillingMethods {

    /**
     * Magnitude. As {@code torch.Tensor.abs_}.
     *
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor abs_() {
        return change(MoreInPlace::abs);
    }

    /**
     * Sine. As {@code torch.Tensor.sin_}.
     *
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor sin_() {
        return change(MoreInPlace::sin);
    }

    /**
     * Cosine. As {@code torch.Tensor.cos_}.
     *
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor cos_() {
        return change(MoreInPlace::cos);
    }

    /**
     * Natural logarithm. As {@code torch.Tensor.log_}.
     *
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor log_() {
        return change(MoreInPlace::log);
    }

    /**
     * Exponential in place. As {@code torch.Tensor.exp_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor exp_() {
        return change(a -> InPlace.unary(ElementOp.EXP, ElementOp.MUL, "ExpBackward0", a));
    }

    /**
     * Relu in place. As {@code torch.Tensor.relu_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor relu_() {
        return change(a -> InPlace.unary(ElementOp.RELU, ElementOp.RELU_BACKWARD, "ReluBackward0", a));
    }

    /**
     * Sigmoid in place. As {@code torch.Tensor.sigmoid_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor sigmoid_() {
        return change(a -> InPlace.unary(ElementOp.SIGMOID, ElementOp.SIGMOID_BACKWARD, "SigmoidBackward0", a));
    }

    /**
     * Tanh in place. As {@code torch.Tensor.tanh_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor tanh_() {
        return change(a -> InPlace.unary(ElementOp.TANH, ElementOp.TANH_BACKWARD, "TanhBackward0", a));
    }

    /**
     * Rounded down. As {@code torch.Tensor.floor_}.
     *
     * @return this tensor, changed; backward keeps nothing, the gradient is zero
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor floor_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.FLOOR, "FloorBackward0", a));
    }

    /**
     * Rounded up. As {@code torch.Tensor.ceil_}.
     *
     * @return this tensor, changed; backward keeps nothing, the gradient is zero
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor ceil_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.CEIL, "CeilBackward0", a));
    }

    /**
     * Rounded, halves to even. As {@code torch.Tensor.round_}.
     *
     * @return this tensor, changed; backward keeps nothing, the gradient is zero
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor round_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.ROUND, "RoundBackward0", a));
    }

    /**
     * Without the fraction. As {@code torch.Tensor.trunc_}.
     *
     * @return this tensor, changed; backward keeps nothing, the gradient is zero
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor trunc_() {
        return change(a -> MoreInPlace.step(io.vramlab.device.ElementOp.TRUNC, "TruncBackward0", a));
    }

    /**
     * Limited to [min, max]. As {@code torch.Tensor.clamp_}.
     *
     * @param min
     *            lower bound, {@link Double#NEGATIVE_INFINITY} for none
     * @param max
     *            upper bound, {@link Double#POSITIVE_INFINITY} for none
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor clamp_(double min, double max) {
        return change(a -> InPlace.clamp(a, min, max));
    }

    /**
     * At least min. As {@code torch.Tensor.clamp_min_}.
     *
     * @param min
     *            lower bound
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor clampMin_(double min) {
        return change(a -> InPlace.clamp(a, min, Double.POSITIVE_INFINITY));
    }

    /**
     * At most max. As {@code torch.Tensor.clamp_max_}.
     *
     * @param max
     *            upper bound
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor clampMax_(double max) {
        return change(a -> InPlace.clamp(a, Double.NEGATIVE_INFINITY, max));
    }

    /**
     * Zeros above a diagonal of the last two dimensions. As {@code torch.Tensor.tril_}.
     *
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             of less than two dimensions
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor tril_() {
        return tril_(0);
    }

    /**
     * Zeros above a diagonal of the last two dimensions. As {@code torch.Tensor.tril_}.
     *
     * @param diagonal
     *            the last one that stays: 0 the main one, 1 the one above it; 0 by default
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             of less than two dimensions
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor tril_(long diagonal) {
        return change(a -> MoreInPlace.triangle(a, false, diagonal));
    }

    /**
     * Zeros below a diagonal of the last two dimensions. As {@code torch.Tensor.triu_}.
     *
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             of less than two dimensions
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor triu_() {
        return triu_(0);
    }

    /**
     * Zeros below a diagonal of the last two dimensions. As {@code torch.Tensor.triu_}.
     *
     * @param diagonal
     *            the first one that stays: 0 the main one, 1 the one above it; 0 by default
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             of less than two dimensions
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor triu_(long diagonal) {
        return change(a -> MoreInPlace.triangle(a, true, diagonal));
    }
}
