package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.layer.Activations;
import io.vramlab.tensor.ops.layer.Activations.Kind;
import io.vramlab.tensor.ops.layer.InPlaceActivations;
import java.lang.ref.Reference;
import java.util.function.Consumer;

/** {@link Functional}'s activations: element by element unless said otherwise, shapes as the argument's. */
abstract class ActivationFunctions {

    private static final double SELU_ALPHA = 1.6732632423543772848170429916717;
    private static final double SELU_SCALE = 1.0507009873554804934193349852946;

    /** max(x, 0). */
    public static Tensor relu(Tensor x) {
        return x.relu();
    }

    /** min(max(x, 0), 6). */
    public static Tensor relu6(Tensor x) {
        return hardtanh(x, 0, 6);
    }

    /** x above 0, else 0.01 x. */
    public static Tensor leakyRelu(Tensor x) {
        return leakyRelu(x, 0.01);
    }

    /** x above 0, else slope times x. */
    public static Tensor leakyRelu(Tensor x, double negativeSlope) {
        return Calls.call(a -> Activations.of(Kind.LEAKY_RELU, a[0], negativeSlope), x);
    }

    /** x above 0, else x times a learned slope: weight [1], or one for each index of dimension 1. */
    public static Tensor prelu(Tensor x, Tensor weight) {
        return Calls.lower(a -> Activations.prelu(a[0], a[1]), x, weight);
    }

    /** x above 0, else x times a slope drawn from [lower, upper] when training, their mean otherwise. */
    public static Tensor rrelu(Tensor x, double lower, double upper, boolean training) {
        return Calls.call(a -> Activations.rrelu(a[0], lower, upper, training), x);
    }

    /** x above 0, else alpha (exp(x) - 1). */
    public static Tensor elu(Tensor x, double alpha) {
        return Calls.call(a -> Activations.of(Kind.ELU, a[0], alpha, 1), x);
    }

    /** {@link #elu} with the two constants that keep mean and variance. */
    public static Tensor selu(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.ELU, a[0], SELU_ALPHA * SELU_SCALE, SELU_SCALE), x);
    }

    /** x above 0, else alpha (exp(x / alpha) - 1). */
    public static Tensor celu(Tensor x, double alpha) {
        return Calls.call(a -> Activations.of(Kind.CELU, a[0], alpha), x);
    }

    /** {@link #relu} in place: returns x. */
    public static Tensor relu_(Tensor x) {
        return x.relu_();
    }

    /** {@link #leakyRelu(Tensor, double)} in place: returns x. */
    public static Tensor leakyRelu_(Tensor x, double negativeSlope) {
        if (negativeSlope < 0) {
            throw new TensorException("leaky_relu_ was asked for the slope " + negativeSlope
                    + ": in-place leakyRelu backward calculation is triggered with a negative slope which is not "
                    + "supported. Use leakyRelu.");
        }
        return write(x, a -> InPlaceActivations.leakyRelu(a, negativeSlope));
    }

    /** {@link #elu} in place: returns x. */
    public static Tensor elu_(Tensor x, double alpha) {
        return write(x, a -> InPlaceActivations.elu(a, alpha, 1));
    }

    /** {@link #selu} in place: returns x. */
    public static Tensor selu_(Tensor x) {
        return write(x, a -> InPlaceActivations.elu(a, SELU_ALPHA * SELU_SCALE, SELU_SCALE));
    }

    /** {@link #celu} in place: returns x. */
    public static Tensor celu_(Tensor x, double alpha) {
        return write(x, a -> InPlaceActivations.celu(a, alpha));
    }

    /** {@link #hardtanh} in place: returns x; a copy is kept for backward. */
    public static Tensor hardtanh_(Tensor x, double min, double max) {
        return write(x, a -> InPlaceActivations.copying("HardtanhBackward1", ElementOp.CLAMP,
                ElementOp.HARDTANH_BACKWARD, a, min, max));
    }

    /** {@link #silu} in place: returns x; a copy is kept for backward. */
    public static Tensor silu_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("SiluBackward0", ElementOp.SILU, ElementOp.SILU_BACKWARD, a));
    }

    /** {@link #mish} in place: returns x; a copy is kept for backward. */
    public static Tensor mish_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("MishBackward0", ElementOp.MISH, ElementOp.MISH_BACKWARD, a));
    }

    /** {@link #hardswish} in place: returns x; a copy is kept for backward. */
    public static Tensor hardswish_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("HardswishBackward0", ElementOp.HARDSWISH,
                ElementOp.HARDSWISH_BACKWARD, a));
    }

    /** {@link #hardsigmoid} in place: returns x; a copy is kept for backward. */
    public static Tensor hardsigmoid_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("HardsigmoidBackward0", ElementOp.HARDSIGMOID,
                ElementOp.HARDSIGMOID_BACKWARD, a));
    }

    private static Tensor write(Tensor x, Consumer<TensorImpl> change) {
        change.accept(x.impl());
        Reference.reachabilityFence(x);
        return x;
    }

    /** x times the normal distribution function. */
    public static Tensor gelu(Tensor x) {
        return x.gelu();
    }

    /** {@link #gelu} by its tanh approximation: PyTorch's {@code approximate='tanh'}. */
    public static Tensor geluTanh(Tensor x) {
        return x.geluTanh();
    }

    /** x sigmoid(x). */
    public static Tensor silu(Tensor x) {
        return x.silu();
    }

    /** x tanh(softplus(x)). */
    public static Tensor mish(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.MISH, a[0]), x);
    }

    /** 1 / (1 + exp(-x)). */
    public static Tensor sigmoid(Tensor x) {
        return x.sigmoid();
    }

    /** Hyperbolic tangent. */
    public static Tensor tanh(Tensor x) {
        return x.tanh();
    }

    /** x limited to [min, max]. */
    public static Tensor hardtanh(Tensor x, double min, double max) {
        return Calls.call(a -> Activations.of(Kind.HARDTANH, a[0], min, max), x);
    }

    /** x min(max(x + 3, 0), 6) / 6. */
    public static Tensor hardswish(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.HARDSWISH, a[0]), x);
    }

    /** min(max(x + 3, 0), 6) / 6. */
    public static Tensor hardsigmoid(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.HARDSIGMOID, a[0]), x);
    }

    /** log(sigmoid(x)). */
    public static Tensor logsigmoid(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.LOG_SIGMOID, a[0]), x);
    }

    /** log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold. */
    public static Tensor softplus(Tensor x, double beta, double threshold) {
        return Calls.full(a -> Activations.of(Kind.SOFTPLUS, a[0], beta, threshold), x);
    }

    /** x / (1 + |x|). */
    public static Tensor softsign(Tensor x) {
        return Calls.call(a -> Activations.softsign(a[0]), x);
    }

    /** x moved by lambda towards 0, and 0 within. */
    public static Tensor softshrink(Tensor x, double lambda) {
        return Calls.call(a -> Activations.of(Kind.SOFTSHRINK, a[0], lambda), x);
    }

    /** x outside [-lambda, lambda], else 0. */
    public static Tensor hardshrink(Tensor x, double lambda) {
        return Calls.call(a -> Activations.of(Kind.HARDSHRINK, a[0], lambda), x);
    }

    /** x - tanh(x). */
    public static Tensor tanhshrink(Tensor x) {
        return Calls.call(a -> Activations.tanhshrink(a[0]), x);
    }

    /** x above the threshold, else the value. */
    public static Tensor threshold(Tensor x, double threshold, double value) {
        return Calls.call(a -> Activations.of(Kind.THRESHOLD, a[0], threshold, value), x);
    }

    /** The first half along a dimension, times the sigmoid of the second: that dimension is halved. */
    public static Tensor glu(Tensor x, int dim) {
        return Calls.call(a -> Activations.glu(a[0], dim), x);
    }

    /** Softmax of -x. */
    public static Tensor softmin(Tensor x, int dim) {
        return Calls.call(a -> Activations.softmin(a[0], dim), x);
    }
}
