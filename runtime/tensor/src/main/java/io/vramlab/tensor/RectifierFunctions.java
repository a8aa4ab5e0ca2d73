package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.layer.Activations;
import io.vramlab.tensor.internal.ops.layer.Activations.Kind;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s activations made of pieces, most of them straight: element by element, a new tensor of the
 * argument's shape and dtype each. Of whole numbers they throw {@link TensorException}.
 */
abstract sealed class RectifierFunctions permits InPlaceActivationFunctions {

    static final double SELU_ALPHA = 1.6732632423543772848170429916717;

    static final double SELU_SCALE = 1.0507009873554804934193349852946;

    /**
     * max(x, 0). As {@code torch.nn.functional.relu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps it
     */
    public static Tensor relu(Tensor x) {
        return x.relu();
    }

    /**
     * min(max(x, 0), 6). As {@code torch.nn.functional.relu6}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     */
    public static Tensor relu6(Tensor x) {
        return hardtanh(x, 0, 6);
    }

    /**
     * x above 0, else 0.01 x. As {@code torch.nn.functional.leaky_relu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor leakyRelu(Tensor x) {
        return leakyRelu(x, 0.01);
    }

    /**
     * x above 0, else slope times x. As {@code torch.nn.functional.leaky_relu}.
     *
     * @param x
     *            of any shape
     * @param negativeSlope
     *            below 0; 0.01 by default
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor leakyRelu(Tensor x, double negativeSlope) {
        return Calls.call(a -> Activations.of(Kind.LEAKY_RELU, a[0], negativeSlope), x);
    }

    /**
     * x above 0, else x times a learned slope: weight [1], or one for each index of dimension 1. As
     * {@code torch.nn.functional.prelu}.
     *
     * @param x
     *            of any shape
     * @param weight
     *            [1], or one slope for each index of dimension 1; of x's dtype
     * @return a new tensor; backward keeps x and the slopes; under autocast in its lower precision
     * @throws TensorException
     *             if the slopes' number or dtype does not fit
     */
    public static Tensor prelu(Tensor x, Tensor weight) {
        return Calls.lower(a -> Activations.prelu(a[0], a[1]), x, weight);
    }

    /**
     * The slope is that of evaluation, the mean of 1/8 and 1/3. As {@code torch.nn.functional.rrelu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x and as much room for slopes, as PyTorch's does
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor rrelu(Tensor x) {
        return Functional.rrelu(x, 1. / 8, 1. / 3, false);
    }

    /**
     * x above 0, else x times a slope drawn from [lower, upper] when training, their mean otherwise. As
     * {@code torch.nn.functional.rrelu}.
     *
     * @param x
     *            of any shape
     * @param lower
     *            least slope; 1/8 by default
     * @param upper
     *            largest slope; 1/3 by default
     * @param training
     *            whether slopes are drawn; false by default
     * @return a new tensor; backward keeps x and the slopes, a tensor of its size, unfilled when not training
     * @throws TensorException
     *             if {@code lower} is above {@code upper}
     */
    public static Tensor rrelu(Tensor x, double lower, double upper, boolean training) {
        return Calls.call(a -> Activations.rrelu(a[0], lower, upper, training), x);
    }

    /**
     * {@code elu} with PyTorch's defaults: alpha 1. As {@code torch.nn.functional.elu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor elu(Tensor x) {
        return Functional.elu(x, 1);
    }

    /**
     * x above 0, else alpha (exp(x) - 1). As {@code torch.nn.functional.elu}.
     *
     * @param x
     *            of any shape
     * @param alpha
     *            limit far below 0, with the sign turned; 1 by default
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor elu(Tensor x, double alpha) {
        return Calls.call(a -> Activations.of(Kind.ELU, a[0], alpha, 1), x);
    }

    /**
     * {@link #elu} with the two constants that keep mean and variance. As {@code torch.nn.functional.selu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor selu(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.ELU, a[0], SELU_ALPHA * SELU_SCALE, SELU_SCALE), x);
    }

    /**
     * {@code celu} with PyTorch's defaults: alpha 1. As {@code torch.nn.functional.celu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor celu(Tensor x) {
        return Functional.celu(x, 1);
    }

    /**
     * x above 0, else alpha (exp(x / alpha) - 1). As {@code torch.nn.functional.celu}.
     *
     * @param x
     *            of any shape
     * @param alpha
     *            limit far below 0, with the sign turned; 1 by default
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor celu(Tensor x, double alpha) {
        return Calls.call(a -> Activations.of(Kind.CELU, a[0], alpha), x);
    }

    /**
     * {@code hardtanh} with PyTorch's defaults: between -1 and 1. As {@code torch.nn.functional.hardtanh}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor hardtanh(Tensor x) {
        return Functional.hardtanh(x, -1, 1);
    }

    /**
     * x limited to [min, max]. As {@code torch.nn.functional.hardtanh}.
     *
     * @param x
     *            of any shape
     * @param min
     *            lower bound; -1 by default
     * @param max
     *            upper bound; 1 by default
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor hardtanh(Tensor x, double min, double max) {
        return Calls.call(a -> Activations.of(Kind.HARDTANH, a[0], min, max), x);
    }

    /**
     * x above the threshold, else the value. As {@code torch.nn.functional.threshold}.
     *
     * @param x
     *            of any shape
     * @param threshold
     *            x above it stays
     * @param value
     *            what stands elsewhere
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor threshold(Tensor x, double threshold, double value) {
        return Calls.call(a -> Activations.of(Kind.THRESHOLD, a[0], threshold, value), x);
    }

    /**
     * {@code softshrink} with PyTorch's defaults: lambda 0.5. As {@code torch.nn.functional.softshrink}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor softshrink(Tensor x) {
        return Functional.softshrink(x, 0.5);
    }

    /**
     * x moved by lambda towards 0, and 0 within. As {@code torch.nn.functional.softshrink}.
     *
     * @param x
     *            of any shape
     * @param lambda
     *            how far, 0 or more; 0.5 by default
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor softshrink(Tensor x, double lambda) {
        return Calls.call(a -> Activations.of(Kind.SOFTSHRINK, a[0], lambda), x);
    }

    /**
     * {@code hardshrink} with PyTorch's defaults: lambda 0.5. As {@code torch.nn.functional.hardshrink}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor hardshrink(Tensor x) {
        return Functional.hardshrink(x, 0.5);
    }

    /**
     * x outside [-lambda, lambda], else 0. As {@code torch.nn.functional.hardshrink}.
     *
     * @param x
     *            of any shape
     * @param lambda
     *            half the width of what becomes 0; 0.5 by default
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor hardshrink(Tensor x, double lambda) {
        return Calls.call(a -> Activations.of(Kind.HARDSHRINK, a[0], lambda), x);
    }
}
