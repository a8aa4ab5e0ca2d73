package io.vramlab.tensor;

import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.random.Draws;
import io.vramlab.tensor.internal.values.Values;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s new values in place of the old: constants, another tensor's, random ones. Each writes into this
 * tensor's memory, takes no memory of its own and returns this tensor; what was computed before gets a gradient of
 * zero. Random numbers come from the device's {@link io.vramlab.tensor.type.Generator}.
 */
abstract sealed class FillingMethods extends InPlaceMathMethods permits InPlaceIndexMethods {

    /**
     * One value on the diagonal of a matrix, or where all indices are equal in a tensor of more, equal sizes. As
     * {@code torch.Tensor.fill_diagonal_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed
     * @throws TensorException
     *             for less than two dimensions, or more than two of different sizes
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor fillDiagonal_(double value) {
        return change(a -> InPlace.fillDiagonal(a, value));
    }

    /**
     * Zeros everywhere. As {@code torch.Tensor.zero_}.
     *
     * @return this tensor, of zeros
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor zero_() {
        return fill_(0);
    }

    /**
     * One value everywhere. As {@code torch.Tensor.fill_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor fill_(double value) {
        return change(a -> InPlace.fill(a, value));
    }

    /**
     * One truth value everywhere. As {@code torch.Tensor.fill_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor fill_(boolean value) {
        return fill_(value ? 1 : 0);
    }

    /**
     * One truth value along the diagonal of a matrix, or where all indices of more dimensions are one. As
     * {@code torch.Tensor.fill_diagonal_}.
     *
     * @param value
     *            converted to this dtype
     * @return this tensor, changed
     * @throws TensorException
     *             of a vector, or of more dimensions of different sizes
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor fillDiagonal_(boolean value) {
        return fillDiagonal_(value ? 1 : 0);
    }

    /**
     * The other's values, from whatever device and dtype; broadcast. As {@code torch.Tensor.copy_}.
     *
     * @param source
     *            broadcast to this shape, of any dtype and device
     * @return this tensor, changed; between devices, converting and reordering take a temporary tensor of this size
     * @throws TensorException
     *             if the source does not broadcast to this shape
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor copy_(Tensor source) {
        return copy_(source, false);
    }

    /**
     * As {@link #copy_(Tensor)}; with nonBlocking, a copy from page-locked memory to a device is not waited for. As
     * {@code torch.Tensor.copy_}.
     *
     * @param source
     *            broadcast to this shape, of any dtype and device
     * @param nonBlocking
     *            whether a copy from page-locked memory to a GPU is left to the stream; false by default
     * @return this tensor, changed as soon as the stream has passed
     * @throws TensorException
     *             if the source does not broadcast to this shape
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor copy_(Tensor source, boolean nonBlocking) {
        return changeBy(source, (a, b) -> InPlace.copy(a, b, nonBlocking));
    }

    /**
     * value where mask is true. As {@code torch.Tensor.masked_fill_}.
     *
     * @param mask
     *            bool, broadcast to this shape
     * @param value
     *            converted to this dtype
     * @return this tensor, changed; backward keeps the mask
     * @throws TensorException
     *             if the mask does not broadcast to this shape, or lies on another device
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor maskedFill_(Tensor mask, double value) {
        return changeBy(mask, (a, b) -> InPlace.maskedFill(a, b, value));
    }

    /**
     * Uniform values in [0, 1). As {@code torch.Tensor.uniform_}.
     *
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor uniform_() {
        return change(a -> InPlace.random(a, io.vramlab.device.RandomOp.UNIFORM, 0, 1));
    }

    /**
     * Uniform values in [from, to). As {@code torch.Tensor.uniform_}.
     *
     * @param from
     *            least value, included
     * @param to
     *            bound, not reached
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor uniform_(double from, double to) {
        return change(a -> InPlace.random(a, RandomOp.UNIFORM, from, to));
    }

    /**
     * Normal values with mean 0 and standard deviation 1. As {@code torch.Tensor.normal_}.
     *
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor normal_() {
        return change(a -> InPlace.random(a, io.vramlab.device.RandomOp.NORMAL, 0, 1));
    }

    /**
     * Normal values of that mean and standard deviation. As {@code torch.Tensor.normal_}.
     *
     * @param mean
     *            of the values
     * @param std
     *            standard deviation of the values
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor normal_(double mean, double std) {
        return change(a -> InPlace.random(a, RandomOp.NORMAL, mean, std));
    }

    /**
     * 1 with probability p, else 0. As {@code torch.Tensor.bernoulli_}.
     *
     * @param p
     *            probability of a 1, from 0 to 1
     * @return this tensor, of random 0 and 1
     * @throws TensorException
     *             if p is outside of [0, 1]
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor bernoulli_(double p) {
        return change(a -> Draws.bernoulli_(a, p));
    }

    /**
     * Whole numbers in [from, to). As {@code torch.Tensor.random_}.
     *
     * @param from
     *            least value, included
     * @param to
     *            bound, not reached
     * @return this tensor, of random whole numbers in its own dtype
     * @throws TensorException
     *             if {@code from} is not less than {@code to}
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor random_(long from, long to) {
        return change(a -> Draws.random_(a, from, to));
    }

    /**
     * Exponential values of rate 1. As {@code torch.Tensor.exponential_}.
     *
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor exponential_() {
        return exponential_(1);
    }

    /**
     * Exponential values of that rate. As {@code torch.Tensor.exponential_}.
     *
     * @param rate
     *            inverse of the mean; 1 by default
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor exponential_(double rate) {
        return change(a -> Draws.exponential_(a, rate));
    }

    /**
     * Cauchy values. As {@code torch.Tensor.cauchy_}.
     *
     * @param median
     *            middle of the distribution
     * @param sigma
     *            half its width at half its height
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor cauchy_(double median, double sigma) {
        return change(a -> Draws.cauchy_(a, median, sigma));
    }

    /**
     * Values whose logarithm is normal. As {@code torch.Tensor.log_normal_}.
     *
     * @param mean
     *            of the logarithm
     * @param std
     *            standard deviation of the logarithm
     * @return this tensor, of random numbers
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor logNormal_(double mean, double std) {
        return change(a -> Draws.logNormal_(a, mean, std));
    }

    /**
     * Geometric values: the number of trials until the first success. As {@code torch.Tensor.geometric_}.
     *
     * @param p
     *            probability of success of each trial, between 0 and 1
     * @return this tensor, of random whole numbers from 1 on
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor geometric_(double p) {
        return change(a -> Draws.geometric_(a, p));
    }
}
