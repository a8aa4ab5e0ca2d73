package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.MoreInPlace;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s arithmetic in place: each method writes into this tensor's memory and returns this tensor, so that a
 * chain costs nothing. The dtype stays. What backward needs of the old values it keeps as a copy, taken before they are
 * overwritten, as PyTorch does; without gradients nothing is allocated.
 */
abstract sealed class InPlaceMethods extends LogicMethods permits InPlaceMathMethods {

    /**
     * Python's &amp;=: bit by bit of integers, logical of bool. As {@code torch.Tensor.bitwise_and_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or one is of a floating dtype
     */
    public Tensor bitwiseAnd_(Tensor other) {
        return changeBy(other, (a, b) -> MoreInPlace.bits(ElementOp.BIT_AND, ElementOp.AND, a, b));
    }

    /**
     * Python's |=: bit by bit of integers, logical of bool. As {@code torch.Tensor.bitwise_or_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or one is of a floating dtype
     */
    public Tensor bitwiseOr_(Tensor other) {
        return changeBy(other, (a, b) -> MoreInPlace.bits(ElementOp.BIT_OR, ElementOp.OR, a, b));
    }

    /**
     * Python's ^=: bit by bit of integers, logical of bool. As {@code torch.Tensor.bitwise_xor_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or one is of a floating dtype
     */
    public Tensor bitwiseXor_(Tensor other) {
        return changeBy(other, (a, b) -> MoreInPlace.bits(ElementOp.BIT_XOR, ElementOp.XOR, a, b));
    }

    /**
     * this += value. As {@code torch.Tensor.add_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed; backward keeps nothing
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor add_(long value) {
        return change(a -> InPlace.add(a, (double) value));
    }

    /**
     * this += other. As {@code torch.Tensor.add_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or a fraction would go into whole
     *             numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor add_(Tensor other) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, 1));
    }

    /**
     * this += value. As {@code torch.Tensor.add_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed; backward keeps nothing
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor add_(double value) {
        return change(a -> InPlace.add(a, value));
    }

    /**
     * this += alpha * other. As {@code torch.Tensor.add_}.
     *
     * @param other
     *            broadcast to this shape
     * @param alpha
     *            factor of {@code other}
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or a fraction would go into whole
     *             numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor add_(Tensor other, double alpha) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, alpha));
    }

    /**
     * this -= other. As {@code torch.Tensor.sub_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or a fraction would go into whole
     *             numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor sub_(Tensor other) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, -1));
    }

    /**
     * this -= value. As {@code torch.Tensor.sub_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed; backward keeps nothing
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor sub_(double value) {
        return change(a -> InPlace.add(a, -value));
    }

    /**
     * this -= alpha * other. As {@code torch.Tensor.sub_}.
     *
     * @param other
     *            broadcast to this shape
     * @param alpha
     *            factor of {@code other}
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or a fraction would go into whole
     *             numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor sub_(Tensor other, double alpha) {
        return changeBy(other, (a, b) -> InPlace.add(a, b, -alpha));
    }

    /**
     * this *= other. As {@code torch.Tensor.mul_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed; backward keeps {@code other}, and a copy of the old values if other's gradient is
     *         wanted
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or a fraction would go into whole
     *             numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor mul_(Tensor other) {
        return changeBy(other, InPlace::mul);
    }

    /**
     * this *= value. As {@code torch.Tensor.mul_}.
     *
     * @param value
     *            a number
     * @return this tensor, changed; backward keeps nothing
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor mul_(double value) {
        return change(a -> InPlace.mul(a, value));
    }

    /**
     * this /= other. As {@code torch.Tensor.div_}.
     *
     * @param other
     *            broadcast to this shape
     * @return this tensor, changed; backward keeps {@code other}, and a copy of the old values if other's gradient is
     *         wanted
     * @throws TensorException
     *             if the broadcast shape is not this one's, the devices differ, or a fraction would go into whole
     *             numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor div_(Tensor other) {
        return changeBy(other, InPlace::div);
    }

    /**
     * this /= value. As {@code torch.Tensor.div_}.
     *
     * @param value
     *            a number
     * @return this tensor, changed; backward keeps nothing
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor div_(double value) {
        return change(a -> InPlace.div(a, value));
    }

    /**
     * To a power. As {@code torch.Tensor.pow_}.
     *
     * @param exponent
     *            any number
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor pow_(double exponent) {
        return change(a -> MoreInPlace.pow(a, exponent));
    }

    /**
     * Times itself. As {@code torch.Tensor.square_}.
     *
     * @return this tensor, changed; backward keeps a copy of the old values
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor square_() {
        return change(a -> MoreInPlace.pow(a, 2));
    }

    /**
     * -this. As {@code torch.Tensor.neg_}.
     *
     * @return this tensor, changed; backward keeps nothing
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor neg_() {
        return change(MoreInPlace::neg);
    }

    /**
     * 1 / this. As {@code torch.Tensor.reciprocal_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor reciprocal_() {
        return change(MoreInPlace::reciprocal);
    }

    /**
     * Square root. As {@code torch.Tensor.sqrt_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor sqrt_() {
        return change(InPlace::sqrt);
    }

    /**
     * 1 / square root. As {@code torch.Tensor.rsqrt_}.
     *
     * @return this tensor, changed; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor rsqrt_() {
        return change(MoreInPlace::rsqrt);
    }

    /**
     * this += weight (end - this). As {@code torch.Tensor.lerp_}.
     *
     * @param end
     *            what weight 1 gives; broadcast to this shape
     * @param weight
     *            0 leaves this, 1 gives {@code end}
     * @return this tensor, changed; backward keeps nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor lerp_(Tensor end, double weight) {
        return changeBy(end, (a, b) -> MoreInPlace.lerp(a, b, weight));
    }

    /**
     * this += x y. As {@code torch.Tensor.addcmul_}.
     *
     * @param x
     *            first factor, broadcast to this shape
     * @param y
     *            second factor, broadcast to this shape
     * @return this tensor, changed; backward keeps each factor of which the other's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor addcmul_(Tensor x, Tensor y) {
        return addcmul_(x, y, 1);
    }

    /**
     * this += value x y. As {@code torch.Tensor.addcmul_}.
     *
     * @param x
     *            first factor, broadcast to this shape
     * @param y
     *            second factor, broadcast to this shape
     * @param value
     *            factor of the product; 1 by default
     * @return this tensor, changed; backward keeps each factor of which the other's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor addcmul_(Tensor x, Tensor y, double value) {
        return change(a -> MoreInPlace.addcmul(a, x.impl(), y.impl(), value));
    }

    /**
     * this += x / y. As {@code torch.Tensor.addcdiv_}.
     *
     * @param x
     *            what is divided, broadcast to this shape
     * @param y
     *            the divisor, broadcast to this shape
     * @return this tensor, changed; backward keeps {@code y}, and {@code x} if the divisor's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor addcdiv_(Tensor x, Tensor y) {
        return addcdiv_(x, y, 1);
    }

    /**
     * this += value x / y. As {@code torch.Tensor.addcdiv_}.
     *
     * @param x
     *            what is divided, broadcast to this shape
     * @param y
     *            the divisor, broadcast to this shape
     * @param value
     *            factor of the quotient; 1 by default
     * @return this tensor, changed; backward keeps {@code y}, and {@code x} if the divisor's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor addcdiv_(Tensor x, Tensor y, double value) {
        return change(a -> MoreInPlace.addcdiv(a, x.impl(), y.impl(), value));
    }
}
