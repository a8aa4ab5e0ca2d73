package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.TensorImpl;

/**
 * {@link Tensor}'s making by a dtype alone, {@code torch.zeros(2, 3, dtype=torch.bool)}: {@code Tensor.zeros(DType.BOOL, 2, 3)}. With a
 * device or a gradient too, it is {@link TensorOptions} that come first.
 */
abstract sealed class TypedMethods extends RandomMethods permits LikeMethods {

    /**
     * Whatever the memory held. As {@code torch.empty}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor empty(DType dtype, long... shape) {
        return Tensor.empty(TensorOptions.of(dtype), shape);
    }

    /**
     * Zeros. As {@code torch.zeros}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor zeros(DType dtype, long... shape) {
        return Tensor.zeros(TensorOptions.of(dtype), shape);
    }

    /**
     * Ones. As {@code torch.ones}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor ones(DType dtype, long... shape) {
        return Tensor.ones(TensorOptions.of(dtype), shape);
    }

    /**
     * Uniform numbers from 0 to 1. As {@code torch.rand}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor rand(DType dtype, long... shape) {
        return Tensor.rand(TensorOptions.of(dtype), shape);
    }

    /**
     * Numbers of the standard normal distribution. As {@code torch.randn}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor randn(DType dtype, long... shape) {
        return Tensor.randn(TensorOptions.of(dtype), shape);
    }

    /**
     * One value everywhere. As {@code torch.full}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param value
     *            converted to the dtype
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor full(DType dtype, double value, long... shape) {
        return Tensor.full(TensorOptions.of(dtype), value, shape);
    }

    /**
     * Whole numbers from low on, below high. As {@code torch.randint}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param low
     *            the least
     * @param high
     *            more than the greatest
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     */
    public static Tensor randint(DType dtype, long low, long high, long... shape) {
        return Tensor.randint(TensorOptions.of(dtype), low, high, shape);
    }

    /**
     * 0, 1, … up to, and without, the end. As {@code torch.arange}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param end
     *            not among them
     * @return a new tensor
     */
    public static Tensor arange(DType dtype, double end) {
        return Tensor.arange(TensorOptions.of(dtype), 0, end, 1);
    }

    /**
     * From start on in steps of 1, without the end. As {@code torch.arange}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param start
     *            the first
     * @param end
     *            not among them
     * @return a new tensor
     */
    public static Tensor arange(DType dtype, double start, double end) {
        return Tensor.arange(TensorOptions.of(dtype), start, end, 1);
    }

    /**
     * From start on in steps, without the end. As {@code torch.arange}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param start
     *            the first
     * @param end
     *            not among them
     * @param step
     *            from one to the next, not 0
     * @return a new tensor
     */
    public static Tensor arange(DType dtype, double start, double end, double step) {
        return Tensor.arange(TensorOptions.of(dtype), start, end, step);
    }

    /**
     * So many numbers at equal distances, both ends among them. As {@code torch.linspace}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param start
     *            the first
     * @param end
     *            the last
     * @param steps
     *            how many
     * @return a new tensor
     */
    public static Tensor linspace(DType dtype, double start, double end, long steps) {
        return Tensor.linspace(TensorOptions.of(dtype), start, end, steps);
    }

    /**
     * Ones on the diagonal, else zeros. As {@code torch.eye}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param n
     *            rows and columns
     * @return a new tensor
     */
    public static Tensor eye(DType dtype, long n) {
        return Tensor.eye(TensorOptions.of(dtype), n, n);
    }

    /**
     * Ones on the diagonal, else zeros. As {@code torch.eye}.
     *
     * @param dtype
     *            of its elements, on the current device
     * @param rows
     *            how many
     * @param columns
     *            how many
     * @return a new tensor
     */
    public static Tensor eye(DType dtype, long rows, long columns) {
        return Tensor.eye(TensorOptions.of(dtype), rows, columns);
    }

    /**
     * An unfilled tensor of this shape and device, in that dtype. As {@code torch.empty_like}.
     *
     * @param dtype
     *            of its elements
     * @return a new tensor
     */
    public Tensor emptyLike(DType dtype) {
        return map(a -> TensorImpl.emptyStrided(a.device(), dtype, a.shape(), Strides.like(a)));
    }

    /**
     * Zeros of this shape and device, in that dtype. As {@code torch.zeros_like}.
     *
     * @param dtype
     *            of its elements
     * @return a new tensor
     */
    public Tensor zerosLike(DType dtype) {
        return map(a -> Factories.fullLike(a, dtype, 0));
    }

    /**
     * Ones of this shape and device, in that dtype. As {@code torch.ones_like}.
     *
     * @param dtype
     *            of its elements
     * @return a new tensor
     */
    public Tensor onesLike(DType dtype) {
        return map(a -> Factories.fullLike(a, dtype, 1));
    }

    /**
     * One value in this shape and on this device, in that dtype. As {@code torch.full_like}.
     *
     * @param value
     *            converted to the dtype
     * @param dtype
     *            of its elements
     * @return a new tensor
     */
    public Tensor fullLike(double value, DType dtype) {
        return map(a -> Factories.fullLike(a, dtype, value));
    }
}
