package io.vramlab.tensor;

import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.random.Draws;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s making after the model of another tensor: of its shape, dtype, device and order in memory, or with a
 * shape of one's own. The result is a leaf without gradient, whatever the model is; its values are not read.
 */
abstract sealed class LikeMethods extends TypedMethods permits TransferMethods {

    /**
     * Zeros of this shape, dtype and device. As {@code torch.zeros_like}.
     *
     * @return a new tensor of this size
     */
    public Tensor zerosLike() {
        return map(Factories::zerosLike);
    }

    /**
     * Zeros of a tensor's shape, dtype and device. As {@code torch.zeros_like}.
     *
     * @param like
     *            the model
     * @return a new tensor of that size
     */
    public static Tensor zerosLike(Tensor like) {
        return like.zerosLike();
    }

    /**
     * Ones of this shape, dtype and device. As {@code torch.ones_like}.
     *
     * @return a new tensor of this size
     */
    public Tensor onesLike() {
        return map(a -> Factories.fullLike(a, 1));
    }

    /**
     * Ones of a tensor's shape, dtype and device. As {@code torch.ones_like}.
     *
     * @param like
     *            the model
     * @return a new tensor of that size
     */
    public static Tensor onesLike(Tensor like) {
        return like.onesLike();
    }

    /**
     * An unfilled tensor of this shape, dtype and device. As {@code torch.empty_like}.
     *
     * @return a new tensor of this size
     */
    public Tensor emptyLike() {
        return map(a -> TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.like(a)));
    }

    /**
     * An unfilled tensor of a tensor's shape, dtype and device. As {@code torch.empty_like}.
     *
     * @param like
     *            the model
     * @return a new tensor of that size
     */
    public static Tensor emptyLike(Tensor like) {
        return like.emptyLike();
    }

    /**
     * One value everywhere, of this shape, dtype and device. As {@code torch.full_like}.
     *
     * @param value
     *            converted to the dtype
     * @return a new tensor of this size
     */
    public Tensor fullLike(double value) {
        return map(a -> Factories.fullLike(a, value));
    }

    /**
     * One value everywhere, of a tensor's shape, dtype and device. As {@code torch.full_like}.
     *
     * @param like
     *            the model
     * @param value
     *            converted to the dtype
     * @return a new tensor of that size
     */
    public static Tensor fullLike(Tensor like, double value) {
        return like.fullLike(value);
    }

    /**
     * Uniform values in [0, 1) of this shape, dtype and device. As {@code torch.rand_like}.
     *
     * @return a new tensor of this size
     */
    public Tensor randLike() {
        return map(a -> Draws.like(a, x -> Factories.fillRandom(RandomOp.UNIFORM, x, 0, 1)));
    }

    /**
     * Uniform values of a tensor's shape, dtype and device. As {@code torch.rand_like}.
     *
     * @param like
     *            the model
     * @return a new tensor of that size
     */
    public static Tensor randLike(Tensor like) {
        return like.randLike();
    }

    /**
     * Normal values of this shape, dtype and device. As {@code torch.randn_like}.
     *
     * @return a new tensor of this size
     */
    public Tensor randnLike() {
        return map(a -> Draws.like(a, x -> Factories.fillRandom(RandomOp.NORMAL, x, 0, 1)));
    }

    /**
     * Normal values of a tensor's shape, dtype and device. As {@code torch.randn_like}.
     *
     * @param like
     *            the model
     * @return a new tensor of that size
     */
    public static Tensor randnLike(Tensor like) {
        return like.randnLike();
    }

    /**
     * Whole numbers in [0, high) of this shape, dtype and device. As {@code torch.randint_like}.
     *
     * @param high
     *            bound, not reached
     * @return a new tensor of this size
     */
    public Tensor randintLike(long high) {
        return randintLike(0, high);
    }

    /**
     * Whole numbers in [low, high) of this shape, dtype and device. As {@code torch.randint_like}.
     *
     * @param low
     *            least value, included; 0 by default
     * @param high
     *            bound, not reached
     * @return a new tensor of this size
     */
    public Tensor randintLike(long low, long high) {
        return map(a -> Draws.like(a, x -> Factories.fillRandom(RandomOp.INTEGERS, x, low, high)));
    }

    /**
     * Zeros of this dtype and device. As {@code torch.Tensor.new_zeros}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor of that shape
     * @throws TensorException
     *             for a negative size
     */
    public Tensor newZeros(long... shape) {
        return newFull(0, shape);
    }

    /**
     * Ones of this dtype and device. As {@code torch.Tensor.new_ones}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor of that shape
     * @throws TensorException
     *             for a negative size
     */
    public Tensor newOnes(long... shape) {
        return newFull(1, shape);
    }

    /**
     * One value everywhere, of this dtype and device. As {@code torch.Tensor.new_full}.
     *
     * @param value
     *            converted to the dtype
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor of that shape
     * @throws TensorException
     *             for a negative size
     */
    public Tensor newFull(double value, long... shape) {
        return map(a -> Factories.full(a.device(), a.dtype(), value, shape));
    }

    /**
     * An unfilled tensor of this dtype and device. As {@code torch.Tensor.new_empty}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor of that shape
     * @throws TensorException
     *             for a negative size
     */
    public Tensor newEmpty(long... shape) {
        return map(a -> TensorImpl.empty(a.device(), a.dtype(), shape));
    }
}
