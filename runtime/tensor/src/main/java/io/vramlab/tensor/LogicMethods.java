package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.type.TensorException;
import java.lang.ref.Reference;

/**
 * {@link Tensor}'s truth values and bits, and the choice between two by a condition. What is not zero is true.
 */
abstract sealed class LogicMethods extends ComparisonMethods permits InPlaceMethods {

    /**
     * This tensor's truth values and the other's. As {@code torch.logical_and}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor logicalAnd(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.AND, a, b));
    }

    /**
     * This tensor's truth values or the other's. As {@code torch.logical_or}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor logicalOr(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.OR, a, b));
    }

    /**
     * Where one of the two is true and the other is not. As {@code torch.logical_xor}.
     *
     * @param other
     *            broadcast against this one
     * @return a new bool tensor of the broadcast shape, 1 byte an element, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor logicalXor(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.XOR, a, b));
    }

    /**
     * The opposite truth values. As {@code torch.logical_not}.
     *
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor logicalNot() {
        return map(a -> Launch.unary(ElementOp.NOT, a, DType.BOOL));
    }

    /**
     * Python's &amp;: bit by bit of integers, logical of bool. As {@code torch.bitwise_and}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor bitwiseAnd(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.bits(ElementOp.BIT_AND, ElementOp.AND, a, b));
    }

    /**
     * Python's |: bit by bit of integers, logical of bool. As {@code torch.bitwise_or}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor bitwiseOr(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.bits(ElementOp.BIT_OR, ElementOp.OR, a, b));
    }

    /**
     * Python's ^: bit by bit of integers, logical of bool. As {@code torch.bitwise_xor}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, outside the graph
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor bitwiseXor(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.bits(ElementOp.BIT_XOR, ElementOp.XOR, a, b));
    }

    /**
     * Python's ~: bit by bit of integers, logical of bool. As {@code torch.bitwise_not}.
     *
     * @return a new tensor of this shape and dtype, outside the graph
     */
    public Tensor bitwiseNot() {
        return map(a -> Launch.unary(a.dtype() == DType.BOOL ? ElementOp.NOT : ElementOp.BIT_NOT, a, a.dtype()));
    }

    /**
     * Where there is a minus sign, as bool. As {@code torch.signbit}.
     *
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor signbit() {
        return map(a -> Launch.unary(ElementOp.SIGN_BIT, a, DType.BOOL));
    }

    /**
     * Where the values are NaN, as bool. As {@code torch.isnan}.
     *
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph
     */
    public Tensor isnan() {
        return map(a -> Elementwise.compare(ElementOp.NE, a, a));
    }

    /**
     * Where infinite, as bool. As {@code torch.isinf}.
     *
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph; magnitudes and further bool
     *         tensors are taken for the while, as in PyTorch
     */
    public Tensor isinf() {
        return map(SpecialFunctions::isinf);
    }

    /**
     * Where neither infinite nor NaN, as bool. As {@code torch.isfinite}.
     *
     * @return a new bool tensor of this shape, 1 byte an element, outside the graph; magnitudes and further bool
     *         tensors are taken for the while, as in PyTorch
     */
    public Tensor isfinite() {
        return map(SpecialFunctions::isfinite);
    }

    /**
     * condition ? a : b, element by element. As {@code torch.where}.
     *
     * @param condition
     *            bool, broadcast
     * @param a
     *            taken where it is true, broadcast
     * @param b
     *            taken where it is false, broadcast
     * @return a new tensor of the broadcast shape in the promoted dtype of {@code a} and {@code b}; backward keeps the
     *         condition
     * @throws TensorException
     *             if the condition is not bool, the shapes do not broadcast, or the devices differ
     */
    public static Tensor where(Tensor condition, Tensor a, Tensor b) {
        try {
            return Tensor.wrap(Selection.where(condition.impl(), a.impl(), b.impl()));
        } finally {
            Reference.reachabilityFence(condition);
            Reference.reachabilityFence(a);
            Reference.reachabilityFence(b);
        }
    }

    /**
     * condition ? a : b, element by element. As {@code torch.where}.
     *
     * @param condition
     *            bool, broadcast
     * @param a
     *            taken where it is true; a number lies on the device for the while
     * @param b
     *            taken where it is false; a number lies on the device for the while
     * @return a new tensor of the broadcast shape in the tensor's dtype; backward keeps the condition
     * @throws TensorException
     *             if the condition is not bool, the shapes do not broadcast, or the devices differ
     */
    public static Tensor where(Tensor condition, Tensor a, double b) {
        return Calls.call(x -> Selection.where(x[0], x[1], b), condition, a);
    }

    /**
     * condition ? a : b, element by element. As {@code torch.where}.
     *
     * @param condition
     *            bool, broadcast
     * @param a
     *            taken where it is true; a number lies on the device for the while
     * @param b
     *            taken where it is false; a number lies on the device for the while
     * @return a new tensor of the broadcast shape in the tensor's dtype; backward keeps the condition
     * @throws TensorException
     *             if the condition is not bool, the shapes do not broadcast, or the devices differ
     */
    public static Tensor where(Tensor condition, double a, Tensor b) {
        return Calls.call(x -> Selection.where(x[0], a, x[1]), condition, b);
    }

    /**
     * condition ? a : b, element by element, as float32. As {@code torch.where}.
     *
     * @param condition
     *            bool
     * @param a
     *            taken where it is true
     * @param b
     *            taken where it is false
     * @return a new float32 tensor of the condition's shape; the two numbers lie on the device for the while
     * @throws TensorException
     *             if the condition is not bool
     */
    public static Tensor where(Tensor condition, double a, double b) {
        return Calls.call(x -> Selection.where(x[0], a, b), condition);
    }

    /**
     * value where mask is true, this elsewhere. As {@code torch.masked_fill}.
     *
     * @param mask
     *            bool, broadcast
     * @param value
     *            what stands where it is true
     * @return a new tensor of this dtype; backward keeps the mask
     * @throws TensorException
     *             if the mask is not bool, the shapes do not broadcast, or the devices differ
     */
    public Tensor maskedFill(Tensor mask, double value) {
        return with(mask, (a, b) -> Selection.maskedFill(a, b, value));
    }
}
