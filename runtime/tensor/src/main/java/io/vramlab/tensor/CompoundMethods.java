package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.MathFunctions;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s powers and remainders, and what does several steps of arithmetic in one kernel. Broadcasting and
 * promotion as in {@link #add(Tensor)}; remainders and quotients rounded down are Python's or Java's, see each.
 */
abstract sealed class CompoundMethods extends ArithmeticMethods permits MathMethods {

    /**
     * this to the power exponent. As {@code torch.pow}.
     *
     * @param exponent
     *            any number; a fraction makes whole numbers float32
     * @return a new tensor of this shape; backward keeps this tensor; under autocast in float32
     */
    public Tensor pow(double exponent) {
        return map(a -> AutocastMode.full(x -> Pointwise.pow(x[0], exponent), a));
    }

    /**
     * this to the power exponent. As {@code torch.pow}.
     *
     * @param exponent
     *            one for each element, broadcast
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both, and the result if the
     *         exponent's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor pow(Tensor exponent) {
        return with(exponent, Elementwise::pow);
    }

    /**
     * base to the power this. As {@code torch.Tensor.__rpow__}.
     *
     * @param base
     *            a number, which lies on the device for the while, in 8 bytes
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result; under
     *         autocast in float32
     */
    public Tensor rpow(double base) {
        return map(a -> AutocastMode.full(x -> SpecialFunctions.powerOf(base, x[0]), a));
    }

    /**
     * Remainder of this / value with the sign of value: Python's %. As {@code torch.remainder}.
     *
     * @param value
     *            the divisor; a fraction makes whole numbers float32
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor remainder(double value) {
        return map(a -> MathFunctions.remainder(a, value, false, true));
    }

    /**
     * Remainder of this / value with the sign of value; integers stay integers. As {@code torch.remainder}.
     *
     * @param value
     *            the divisor, a whole number
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor remainder(long value) {
        return map(a -> MathFunctions.remainder(a, value, true, true));
    }

    /**
     * Remainder of this / other with the sign of other. As {@code torch.remainder}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both if other's gradient is
     *         wanted, else nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor remainder(Tensor other) {
        return with(other, (a, b) -> MathFunctions.remainder(a, b, true));
    }

    /**
     * Remainder of this / value with the sign of this: Java's %. As {@code torch.fmod}.
     *
     * @param value
     *            the divisor; makes whole numbers float32
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor fmod(double value) {
        return map(a -> MathFunctions.remainder(a, value, false, false));
    }

    /**
     * Remainder of this / value with the sign of this; integers stay integers. As {@code torch.fmod}.
     *
     * @param value
     *            the divisor, a whole number
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor fmod(long value) {
        return map(a -> MathFunctions.remainder(a, value, true, false));
    }

    /**
     * Remainder of this / other with the sign of this. As {@code torch.fmod}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both if other's gradient is
     *         wanted, else nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor fmod(Tensor other) {
        return with(other, (a, b) -> MathFunctions.remainder(a, b, false));
    }

    /**
     * this / value rounded down: Python's //. No gradient, as in PyTorch. As {@code torch.floor_divide}.
     *
     * @param value
     *            the divisor; makes whole numbers float32, of whole value
     * @return a new tensor of this shape
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor floorDivide(double value) {
        return map(a -> MathFunctions.floorDivide(a, value, false));
    }

    /**
     * this / value rounded down; integers stay integers. As {@code torch.floor_divide}.
     *
     * @param value
     *            the divisor, a whole number
     * @return a new tensor of this shape
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor floorDivide(long value) {
        return map(a -> MathFunctions.floorDivide(a, value, true));
    }

    /**
     * this / other rounded down; no gradient, as in PyTorch. As {@code torch.floor_divide}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor floorDivide(Tensor other) {
        return with(other, MathFunctions::floorDivide);
    }

    /**
     * this + weight (end - this). As {@code torch.lerp}.
     *
     * @param end
     *            what weight 1 gives; broadcast
     * @param weight
     *            0 for this, 1 for {@code end}; may lie outside
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor lerp(Tensor end, double weight) {
        return with(end, (a, b) -> MathFunctions.lerp(a, b, weight));
    }

    /**
     * this + weight (end - this). As {@code torch.lerp}.
     *
     * @param end
     *            what weight 1 gives; broadcast
     * @param weight
     *            one for each element, broadcast
     * @return a new tensor of the broadcast shape in the promoted dtype of this and {@code end}; backward keeps
     *         {@code weight}, and the two others if its gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor lerp(Tensor end, Tensor weight) {
        return with(x -> MathFunctions.lerp(x[0], x[1], x[2]), end, weight);
    }

    /**
     * this + a b. As {@code torch.addcmul}.
     *
     * @param a
     *            first factor, broadcast
     * @param b
     *            second factor, broadcast
     * @return a new tensor of the broadcast shape in the promoted dtype of the three; backward keeps each factor of
     *         which the other's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor addcmul(Tensor a, Tensor b) {
        return addcmul(a, b, 1);
    }

    /**
     * this + value a b. As {@code torch.addcmul}.
     *
     * @param a
     *            first factor, broadcast
     * @param b
     *            second factor, broadcast
     * @param value
     *            factor of the product; 1 by default
     * @return a new tensor of the broadcast shape in the promoted dtype of the three; backward keeps each factor of
     *         which the other's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor addcmul(Tensor a, Tensor b, double value) {
        return with(x -> MathFunctions.addcmul(x[0], x[1], x[2], value), a, b);
    }

    /**
     * this + a / b. As {@code torch.addcdiv}.
     *
     * @param a
     *            what is divided, broadcast
     * @param b
     *            the divisor, broadcast
     * @return a new tensor of the broadcast shape in the promoted dtype of the three; backward keeps {@code b}, and
     *         {@code a} if the divisor's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor addcdiv(Tensor a, Tensor b) {
        return addcdiv(a, b, 1);
    }

    /**
     * this + value a / b. As {@code torch.addcdiv}.
     *
     * @param a
     *            what is divided, broadcast
     * @param b
     *            the divisor, broadcast
     * @param value
     *            factor of the quotient; 1 by default
     * @return a new tensor of the broadcast shape in the promoted dtype of the three; backward keeps {@code b}, and
     *         {@code a} if the divisor's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor addcdiv(Tensor a, Tensor b, double value) {
        return with(x -> MathFunctions.addcdiv(x[0], x[1], x[2], value), a, b);
    }
}
