package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s arithmetic, element by element: sums, products, quotients, signs. Tensors are broadcast as PyTorch's
 * (sizes are equal, or one of them is 1, counted from the last) and their dtypes promoted as by
 * {@code torch.result_type}; a number in Java beside a tensor keeps the tensor's dtype, but a fraction makes whole
 * numbers float32.
 */
abstract sealed class ArithmeticMethods extends TensorCalls permits CompoundMethods {

    /**
     * this + other. As {@code torch.add}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor add(Tensor other) {
        return add(other, 1);
    }

    /**
     * this + value. As {@code torch.add}.
     *
     * @param value
     *            any number; makes whole numbers float32
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor add(double value) {
        return map(a -> Elementwise.add(a, value, false));
    }

    /**
     * this + value; integers stay integers. As {@code torch.add}.
     *
     * @param value
     *            a whole number; this dtype stays, bool becomes int64
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor add(long value) {
        return map(a -> Elementwise.add(a, value, true));
    }

    /**
     * this + alpha * other. As {@code torch.add}.
     *
     * @param other
     *            broadcast against this one
     * @param alpha
     *            factor of {@code other}; 1 by default
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor add(Tensor other, double alpha) {
        return with(other, (a, b) -> Elementwise.add(a, b, alpha));
    }

    /**
     * this - other. As {@code torch.sub}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor sub(Tensor other) {
        return sub(other, 1);
    }

    /**
     * this - value. As {@code torch.sub}.
     *
     * @param value
     *            any number; makes whole numbers float32
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor sub(double value) {
        return map(a -> Elementwise.sub(a, value, false));
    }

    /**
     * this - value; integers stay integers. As {@code torch.sub}.
     *
     * @param value
     *            a whole number; this dtype stays, bool becomes int64
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor sub(long value) {
        return map(a -> Elementwise.sub(a, value, true));
    }

    /**
     * this - alpha * other. As {@code torch.sub}.
     *
     * @param other
     *            broadcast against this one
     * @param alpha
     *            factor of {@code other}; 1 by default
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor sub(Tensor other, double alpha) {
        return with(other, (a, b) -> Elementwise.sub(a, b, alpha));
    }

    /**
     * value - this. As {@code torch.rsub}.
     *
     * @param value
     *            what this is taken from; makes whole numbers float32
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor rsub(double value) {
        return map(a -> Elementwise.rsub(a, value, false));
    }

    /**
     * value - this, whole numbers staying whole. As {@code torch.rsub}.
     *
     * @param value
     *            what this is taken from
     * @return a new tensor of this dtype, int64 of truth values; backward keeps nothing
     */
    public Tensor rsub(long value) {
        return map(a -> Elementwise.rsub(a, value, true));
    }

    /**
     * this * other. As {@code torch.mul}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps each factor of which the
     *         other's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor mul(Tensor other) {
        return with(other, Elementwise::mul);
    }

    /**
     * this * value. As {@code torch.mul}.
     *
     * @param value
     *            a factor; makes whole numbers float32
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor mul(double value) {
        return map(a -> Elementwise.mul(a, value, false));
    }

    /**
     * this * value; integers stay integers. As {@code torch.mul}.
     *
     * @param value
     *            a whole factor; this dtype stays, bool becomes int64
     * @return a new tensor of this shape; backward keeps nothing
     */
    public Tensor mul(long value) {
        return map(a -> Elementwise.mul(a, value, true));
    }

    /**
     * this / other. As {@code torch.div}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, float32 of whole numbers; backward keeps
     *         {@code other}, and this tensor if other's gradient is wanted
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor div(Tensor other) {
        return with(other, Elementwise::div);
    }

    /**
     * this / value. As {@code torch.div}.
     *
     * @param value
     *            a divisor; 0 gives infinities or NaN
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps nothing
     */
    public Tensor div(double value) {
        return map(a -> Elementwise.div(a, value));
    }

    /**
     * value / this. As {@code torch.Tensor.__rtruediv__}.
     *
     * @param value
     *            what is divided
     * @return a new tensor of this shape; the inverses are another one, which backward keeps
     */
    public Tensor rdiv(double value) {
        return map(a -> Elementwise.rdiv(a, value));
    }

    /**
     * -this. As {@code torch.neg}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing
     */
    public Tensor neg() {
        return map(Pointwise::neg);
    }

    /**
     * -this. As {@code torch.negative}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing
     */
    public Tensor negative() {
        return map(Pointwise::neg);
    }

    /**
     * This tensor: a new handle on it. As {@code torch.positive}.
     *
     * @return another handle on this tensor, no memory of its own
     */
    public Tensor positive() {
        return map(TensorImpl::retain);
    }

    /**
     * Magnitude. As {@code torch.abs}.
     *
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor abs() {
        return map(Pointwise::abs);
    }

    /**
     * Magnitude. As {@code torch.absolute}.
     *
     * @return a new tensor of this shape and dtype; backward keeps this tensor
     */
    public Tensor absolute() {
        return map(Pointwise::abs);
    }

    /**
     * -1, 0 or 1. As {@code torch.sign}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor sign() {
        return map(Pointwise::sign);
    }

    /**
     * -1, 0 or 1. As {@code torch.sgn}.
     *
     * @return a new tensor of this shape and dtype; backward keeps nothing: its gradient is zero
     */
    public Tensor sgn() {
        return map(Pointwise::sign);
    }

    /**
     * 1 / this. As {@code torch.reciprocal}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result; under
     *         autocast in float32
     */
    public Tensor reciprocal() {
        return map(a -> AutocastMode.full(x -> Pointwise.reciprocal(x[0]), a));
    }

    /**
     * This times itself. As {@code torch.square}.
     *
     * @return a new tensor of this shape and dtype; backward keeps this tensor; under autocast in float32
     */
    public Tensor square() {
        return map(a -> AutocastMode.full(x -> Pointwise.pow(x[0], 2), a));
    }
}
