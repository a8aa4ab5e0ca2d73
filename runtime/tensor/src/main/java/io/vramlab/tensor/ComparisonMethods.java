package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.internal.ops.statistics.Comparisons;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s comparisons. Those by element give bool and are never part of the graph; a number beside a tensor is
 * rounded to the tensor's dtype first, as in PyTorch. Those of whole tensors answer to Java, and wait for the device.
 */
abstract sealed class ComparisonMethods extends ActivationMethods permits LogicMethods {

    /**
     * Where this == other, as bool. As {@code torch.eq}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor eq(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.EQ, a, b));
    }

    /**
     * Where this == value, as bool. As {@code torch.eq}.
     *
     * @param value
     *            rounded to this dtype first
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor eq(double value) {
        return map(a -> Elementwise.compare(ElementOp.EQ_SCALAR, a, value));
    }

    /**
     * Where this != other, as bool. As {@code torch.ne}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor ne(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.NE, a, b));
    }

    /**
     * Where this != value, as bool. As {@code torch.ne}.
     *
     * @param value
     *            rounded to this dtype first
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor ne(double value) {
        return map(a -> Elementwise.compare(ElementOp.NE_SCALAR, a, value));
    }

    /**
     * Where this &lt; other, as bool. As {@code torch.lt}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor lt(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.LT, a, b));
    }

    /**
     * Where this &lt; value, as bool. As {@code torch.lt}.
     *
     * @param value
     *            rounded to this dtype first
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor lt(double value) {
        return map(a -> Elementwise.compare(ElementOp.LT_SCALAR, a, value));
    }

    /**
     * Where this &lt;= other, as bool. As {@code torch.le}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor le(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.LE, a, b));
    }

    /**
     * Where this &lt;= value, as bool. As {@code torch.le}.
     *
     * @param value
     *            rounded to this dtype first
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor le(double value) {
        return map(a -> Elementwise.compare(ElementOp.LE_SCALAR, a, value));
    }

    /**
     * Where this &gt; other, as bool. As {@code torch.gt}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor gt(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.GT, a, b));
    }

    /**
     * Where this &gt; value, as bool. As {@code torch.gt}.
     *
     * @param value
     *            rounded to this dtype first
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor gt(double value) {
        return map(a -> Elementwise.compare(ElementOp.GT_SCALAR, a, value));
    }

    /**
     * Where this &gt;= other, as bool. As {@code torch.ge}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor ge(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.GE, a, b));
    }

    /**
     * Where this &gt;= value, as bool. As {@code torch.ge}.
     *
     * @param value
     *            rounded to this dtype first
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor ge(double value) {
        return map(a -> Elementwise.compare(ElementOp.GE_SCALAR, a, value));
    }

    /**
     * Where |this - other| is at most 1e-8 + 1e-5 |other|, as bool. As {@code torch.isclose}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph; NaN is close to nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor isclose(Tensor other) {
        return isclose(other, 1e-5, 1e-8);
    }

    /**
     * Where |this - other| is at most atol + rtol |other|, as bool. As {@code torch.isclose}.
     *
     * @param other
     *            broadcast against this one
     * @param rtol
     *            tolerated difference relative to {@code other}; 1e-5 by default
     * @param atol
     *            tolerated difference in any case; 1e-8 by default
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph; NaN is close to nothing
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor isclose(Tensor other, double rtol, double atol) {
        return with(other, (a, b) -> SpecialFunctions.isclose(a, b, rtol, atol));
    }

    /**
     * Whether all elements are close, see {@link #isclose(Tensor)}. As {@code torch.allclose}.
     *
     * @param other
     *            broadcast against this one
     * @return true if {@link #isclose} is true everywhere; the bool tensors for it are let go again
     * @throws TensorException
     *             if the shapes do not broadcast, or on a device without values
     */
    public boolean allclose(Tensor other) {
        return allclose(other, 1e-5, 1e-8);
    }

    /**
     * Whether all elements are close. As {@code torch.allclose}.
     *
     * @param other
     *            broadcast against this one
     * @param rtol
     *            tolerated difference relative to {@code other}; 1e-5 by default
     * @param atol
     *            tolerated difference in any case; 1e-8 by default
     * @return true if {@link #isclose} is true everywhere; the bool tensors for it are let go again
     * @throws TensorException
     *             if the shapes do not broadcast, or on a device without values
     */
    public boolean allclose(Tensor other, double rtol, double atol) {
        return read(a -> Comparisons.allclose(a, other.impl(), rtol, atol));
    }

    /**
     * Whether shape and all elements are equal. As {@code torch.equal}.
     *
     * @param other
     *            of any shape
     * @return true if shapes are equal and all elements too, NaN unlike itself; the bool tensors for it are let go
     *         again
     * @throws TensorException
     *             if the devices differ, or on a device without values
     */
    public boolean equal(Tensor other) {
        return read(a -> Comparisons.equal(a, other.impl()));
    }

    /**
     * Where an element is one of those, as bool. As {@code torch.isin}.
     *
     * @param elements
     *            what is looked for, of any shape
     * @return a new bool tensor of this shape, outside the graph
     */
    public Tensor isin(Tensor elements) {
        return with(elements, Comparisons::isin);
    }
}
