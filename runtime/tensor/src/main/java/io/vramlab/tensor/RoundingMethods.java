package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.ops.pointwise.Bounds;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.MathFunctions;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s rounding and bounds, and the larger or smaller of two, element by element. The dtype stays.
 */
abstract sealed class RoundingMethods extends TrigonometricMethods permits ActivationMethods {

    /**
     * Largest whole number not above. As {@code torch.floor}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor floor() {
        return map(a -> Pointwise.step(ElementOp.FLOOR, a));
    }

    /**
     * Smallest whole number not below. As {@code torch.ceil}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor ceil() {
        return map(a -> Pointwise.step(ElementOp.CEIL, a));
    }

    /**
     * Nearest whole number, halves to even. As {@code torch.round}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor round() {
        return map(a -> Pointwise.step(ElementOp.ROUND, a));
    }

    /**
     * Rounded to so many decimals, halves to even. As {@code torch.round}.
     *
     * @param decimals
     *            digits behind the point; negative for tens, hundreds, …
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor round(int decimals) {
        return map(a -> Bounds.round(a, decimals));
    }

    /**
     * Without the fraction. As {@code torch.trunc}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor trunc() {
        return map(MathFunctions::trunc);
    }

    /**
     * Without the fraction, as {@link #trunc}. As {@code torch.fix}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor fix() {
        return map(MathFunctions::trunc);
    }

    /**
     * The fraction, with the sign of the number. As {@code torch.frac}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing
     */
    public Tensor frac() {
        return map(MathFunctions::frac);
    }

    /**
     * Limited to [min, max], element by element; null is no bound. As {@code torch.clamp}.
     *
     * @param min
     *            lower bounds, broadcast; or null
     * @param max
     *            upper bounds, broadcast; or null
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps this tensor and the bounds
     * @throws TensorException
     *             if both bounds are null, the shapes do not broadcast, or the devices differ
     */
    public Tensor clamp(Tensor min, Tensor max) {
        return with(x -> Bounds.clamp(x[0], x[1], x[2]), min, max);
    }

    /**
     * Limited to [min, max]; an infinite bound is none. As {@code torch.clamp}.
     *
     * @param min
     *            lower bound, {@link Double#NEGATIVE_INFINITY} for none
     * @param max
     *            upper bound, {@link Double#POSITIVE_INFINITY} for none
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor clamp(double min, double max) {
        return map(a -> Selection.clamp(a, min, max));
    }

    /**
     * Limited to [min, max], as {@link Tensor#clamp}. As {@code torch.clip}.
     *
     * @param min
     *            lower bound, {@link Double#NEGATIVE_INFINITY} for none
     * @param max
     *            upper bound, {@link Double#POSITIVE_INFINITY} for none
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor clip(double min, double max) {
        return map(a -> Selection.clamp(a, min, max));
    }

    /**
     * At least min. As {@code torch.clamp_min}.
     *
     * @param min
     *            lower bound
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor clampMin(double min) {
        return map(a -> Selection.clamp(a, min, Double.POSITIVE_INFINITY));
    }

    /**
     * At most max. As {@code torch.clamp_max}.
     *
     * @param max
     *            upper bound
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor clampMax(double max) {
        return map(a -> Selection.clamp(a, Double.NEGATIVE_INFINITY, max));
    }

    /**
     * 0 for NaN, the dtype's largest and smallest numbers for infinities. As {@code torch.nan_to_num}.
     *
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor nanToNum() {
        return map(a -> SpecialFunctions.nanToNum(a, Bounds.largest(a.dtype()), -Bounds.largest(a.dtype())));
    }

    /**
     * The larger of the two. As {@code torch.maximum}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both, and halves the gradient
     *         where they are equal
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor maximum(Tensor other) {
        return with(other, Elementwise::maximum);
    }

    /**
     * The smaller of the two. As {@code torch.minimum}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both, and halves the gradient
     *         where they are equal
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor minimum(Tensor other) {
        return with(other, Elementwise::minimum);
    }

    /**
     * The larger of the two, see {@link Tensor#maximum}. As {@code torch.max}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both, and halves the gradient
     *         where they are equal
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor max(Tensor other) {
        return with(other, Elementwise::maximum);
    }

    /**
     * The smaller of the two, see {@link Tensor#minimum}. As {@code torch.min}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both, and halves the gradient
     *         where they are equal
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor min(Tensor other) {
        return with(other, Elementwise::minimum);
    }

    /**
     * The larger; a number rather than NaN. As {@code torch.fmax}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor fmax(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.fextremum(a, b, true));
    }

    /**
     * The smaller; a number rather than NaN. As {@code torch.fmin}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor fmin(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.fextremum(a, b, false));
    }

    /**
     * 0 below 0, values at 0, 1 above; no gradient, as in PyTorch. As {@code torch.heaviside}.
     *
     * @param values
     *            what 0 gives; broadcast
     * @return a new tensor of the broadcast shape in the promoted dtype
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor heaviside(Tensor values) {
        return with(values, SpecialFunctions::heaviside);
    }

    /**
     * This with the other's signs. As {@code torch.copysign}.
     *
     * @param other
     *            broadcast; of which only the signs count
     * @return a new tensor of the broadcast shape in the promoted dtype, float32 of whole numbers; backward keeps this
     *         tensor and the result if this one's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor copysign(Tensor other) {
        return with(other, SpecialFunctions::copysign);
    }
}
