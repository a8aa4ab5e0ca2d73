package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.ops.index.Creation;
import io.vramlab.tensor.internal.ops.random.Draws;
import io.vramlab.tensor.internal.ops.random.GammaDraws;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s making of random numbers, by the current device's {@link io.vramlab.tensor.type.Generator}: those of
 * a seed are the same again, but are not PyTorch's. Without options float32 on the current device.
 */
abstract sealed class RandomMethods extends SequenceMethods permits TypedMethods {

    /**
     * Uniform in [0, 1). float32 on the current device. As {@code torch.rand}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor rand(long... shape) {
        return rand(TensorOptions.defaults(), shape);
    }

    /**
     * Uniform in [0, 1). As {@code torch.rand}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor rand(TensorOptions options, long... shape) {
        return Tensor.make(options, p -> Factories.random(RandomOp.UNIFORM, p.device(), p.dtype(), 0, 1, shape));
    }

    /**
     * Normal with mean 0 and standard deviation 1. float32 on the current device. As {@code torch.randn}.
     *
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor randn(long... shape) {
        return randn(TensorOptions.defaults(), shape);
    }

    /**
     * Normal with mean 0 and standard deviation 1. As {@code torch.randn}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor randn(TensorOptions options, long... shape) {
        return Tensor.make(options, p -> Factories.random(RandomOp.NORMAL, p.device(), p.dtype(), 0, 1, shape));
    }

    /**
     * Whole numbers in [low, high). int64 on the current device. As {@code torch.randint}.
     *
     * @param low
     *            least value, included
     * @param high
     *            bound, not reached
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor randint(long low, long high, long... shape) {
        return randint(TensorOptions.of(DType.INT64), low, high, shape);
    }

    /**
     * Whole numbers in [low, high). As {@code torch.randint}.
     *
     * @param options
     *            dtype, device and whether it is a leaf for backward
     * @param low
     *            least value, included
     * @param high
     *            bound, not reached
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor randint(TensorOptions options, long low, long high, long... shape) {
        return Tensor.make(options, p -> Factories.random(RandomOp.INTEGERS, p.device(), p.dtype(), low, high, shape));
    }

    /**
     * 0 … n - 1 in random order, as int64. As {@code torch.randperm}.
     *
     * @param n
     *            how many
     * @return a new int64 vector; the keys that PyTorch sorts for it are taken for the while
     * @throws TensorException
     *             for a negative number
     */
    public static Tensor randperm(long n) {
        return Tensor.make(TensorOptions.of(DType.INT64), p -> Creation.randperm(p.device(), p.dtype(), n));
    }

    /**
     * Normal values of those means and standard deviations. As {@code torch.normal}.
     *
     * @param mean
     *            one for each element, broadcast
     * @param std
     *            standard deviations of 0 or more, broadcast
     * @return a new tensor of the mean's dtype
     * @throws TensorException
     *             if one is negative, or the shapes do not broadcast
     */
    public static Tensor normal(Tensor mean, Tensor std) {
        return Calls.call(x -> Draws.normal(x[0], x[1]), mean, std);
    }

    /**
     * Normal values. As {@code torch.normal}.
     *
     * @param mean
     *            of the values
     * @param std
     *            standard deviation of the values
     * @param shape
     *            sizes, outermost first; none for a scalar
     * @return a new tensor
     * @throws TensorException
     *             for a negative size
     */
    public static Tensor normal(double mean, double std, long... shape) {
        return Tensor.make(TensorOptions.defaults(),
                p -> Factories.random(RandomOp.NORMAL, p.device(), p.dtype(), mean, std, shape));
    }

    /**
     * So many different column numbers of each row, by the row's weights. As {@code torch.multinomial}.
     *
     * @param samples
     *            how many of each row
     * @return a new int64 tensor [samples] or [rows, samples]; keys as large as this are taken for the while
     * @throws TensorException
     *             unless this has one or two dimensions and weights of 0 or more; for more different ones than columns
     */
    public Tensor multinomial(long samples) {
        return multinomial(samples, false);
    }

    /**
     * So many column numbers of each row, by the row's weights. As {@code torch.multinomial}.
     *
     * @param samples
     *            how many of each row
     * @param replacement
     *            whether a number may come again; false by default
     * @return a new int64 tensor [samples] or [rows, samples]; keys as large as this are taken for the while
     * @throws TensorException
     *             unless this has one or two dimensions and weights of 0 or more; for more different ones than columns
     */
    public Tensor multinomial(long samples, boolean replacement) {
        return map(a -> Draws.multinomial(a, samples, replacement));
    }

    /**
     * 1 with the probability that each element says. As {@code torch.bernoulli}.
     *
     * @return a new tensor of this shape and dtype; its gradient is zero
     */
    public Tensor bernoulli() {
        return map(Draws::bernoulli);
    }

    /**
     * How often something happens that happens that often on average. As {@code torch.poisson}.
     *
     * @param rates
     *            means, of 0 or more
     * @return a new tensor of that shape and dtype, drawn on the host; its gradient is zero
     */
    public static Tensor poisson(Tensor rates) {
        return Calls.call(x -> Draws.poisson(x[0]), rates);
    }

    /**
     * Draws of gamma distributions of rate 1. As {@code torch._standard_gamma}.
     *
     * @param concentration
     *            their shapes, above 0; kept for backward with the draws
     * @return a new tensor of that shape and dtype, drawn on the host
     */
    public static Tensor standardGamma(Tensor concentration) {
        return Calls.call(x -> GammaDraws.standardGamma(x[0]), concentration);
    }

    /**
     * Draws of Dirichlet distributions. As {@code torch._sample_dirichlet}, with the gradients that
     * {@code torch.distributions.Dirichlet} gives it.
     *
     * @param concentration
     *            one distribution in each row of the last dimension, above 0; kept for backward with the draws
     * @return a new tensor of that shape and dtype, drawn on the host
     */
    public static Tensor sampleDirichlet(Tensor concentration) {
        return Calls.call(x -> GammaDraws.dirichlet(x[0]), concentration);
    }

    /**
     * Seeds the generators of all devices, as torch.manual_seed. As {@code torch.manual_seed}.
     *
     * @param seed
     *            any number
     */
    public static void manualSeed(long seed) {
        Generator.manualSeedAll(seed);
    }

    /** {@return the seed of the current device's generator} As {@code torch.initial_seed}. */
    public static long initialSeed() {
        return Generator.of(Device.current()).initialSeed();
    }
}
