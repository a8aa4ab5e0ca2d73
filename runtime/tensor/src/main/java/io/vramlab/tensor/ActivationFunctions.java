package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.ops.layer.Activations;
import io.vramlab.tensor.internal.ops.layer.Activations.Kind;
import io.vramlab.tensor.internal.ops.random.AlphaDropouts;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s smooth activations, gates and softmax: element by element unless said otherwise, a new tensor of
 * the argument's shape each. Those of {@link Tensor} too make float32 of whole numbers; the others refuse them.
 */
abstract sealed class ActivationFunctions extends InPlaceActivationFunctions permits NormFunctions {

    /**
     * x times the normal distribution function. As {@code torch.nn.functional.gelu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     */
    public static Tensor gelu(Tensor x) {
        return x.gelu();
    }

    /**
     * x times the normal distribution function, or an approximation. As {@code torch.nn.functional.gelu}.
     *
     * @param x
     *            of any shape
     * @param approximate
     *            {@code "none"} or {@code "tanh"}
     * @return a new tensor; backward keeps x
     * @throws IllegalArgumentException
     *             for another word
     */
    public static Tensor gelu(Tensor x, String approximate) {
        return switch (approximate) {
            case "none" -> x.gelu();
            case "tanh" -> x.geluTanh();
            default -> throw new IllegalArgumentException("gelu was asked with approximate=\"" + approximate
                    + "\": the approximate argument must be either none or tanh.");
        };
    }

    /**
     * {@link #gelu} by its tanh approximation: PyTorch's {@code approximate='tanh'}. As
     * {@code torch.nn.functional.gelu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     */
    public static Tensor geluTanh(Tensor x) {
        return x.geluTanh();
    }

    /**
     * x sigmoid(x). As {@code torch.nn.functional.silu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     */
    public static Tensor silu(Tensor x) {
        return x.silu();
    }

    /**
     * x tanh(softplus(x)). As {@code torch.nn.functional.mish}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor mish(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.MISH, a[0]), x);
    }

    /**
     * 1 / (1 + exp(-x)). As {@code torch.nn.functional.sigmoid}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps it
     */
    public static Tensor sigmoid(Tensor x) {
        return x.sigmoid();
    }

    /**
     * Hyperbolic tangent. As {@code torch.nn.functional.tanh}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps it
     */
    public static Tensor tanh(Tensor x) {
        return x.tanh();
    }

    /**
     * x min(max(x + 3, 0), 6) / 6. As {@code torch.nn.functional.hardswish}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor hardswish(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.HARDSWISH, a[0]), x);
    }

    /**
     * min(max(x + 3, 0), 6) / 6. As {@code torch.nn.functional.hardsigmoid}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor hardsigmoid(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.HARDSIGMOID, a[0]), x);
    }

    /**
     * log(sigmoid(x)). As {@code torch.nn.functional.logsigmoid}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor logsigmoid(Tensor x) {
        return Calls.call(a -> Activations.of(Kind.LOG_SIGMOID, a[0]), x);
    }

    /**
     * {@code softplus} with PyTorch's defaults: beta 1, threshold 20. As {@code torch.nn.functional.softplus}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x; under autocast in float32
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor softplus(Tensor x) {
        return Functional.softplus(x, 1, 20);
    }

    /**
     * log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold. As
     * {@code torch.nn.functional.softplus}.
     *
     * @param x
     *            of any shape
     * @param beta
     *            sharpness of the bend; 1 by default
     * @param threshold
     *            from where on beta x counts as straight; 20 by default
     * @return a new tensor; backward keeps x; under autocast in float32
     * @throws TensorException
     *             of whole numbers
     */
    public static Tensor softplus(Tensor x, double beta, double threshold) {
        return Calls.full(a -> Activations.of(Kind.SOFTPLUS, a[0], beta, threshold), x);
    }

    /**
     * x / (1 + |x|). As {@code torch.nn.functional.softsign}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; composed: 1 + |x| is another, which backward keeps beside x
     */
    public static Tensor softsign(Tensor x) {
        return Calls.call(a -> Activations.softsign(a[0]), x);
    }

    /**
     * x - tanh(x). As {@code torch.nn.functional.tanhshrink}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; composed: tanh(x) is another, which backward keeps
     */
    public static Tensor tanhshrink(Tensor x) {
        return Calls.call(a -> Activations.tanhshrink(a[0]), x);
    }

    /**
     * {@code glu} with PyTorch's defaults: the last dimension halved. As {@code torch.nn.functional.glu}.
     *
     * @param x
     *            of any shape
     * @return a new tensor, half as large along the dimension, the last by default; backward keeps x
     * @throws TensorException
     *             if the dimension's size is odd
     */
    public static Tensor glu(Tensor x) {
        return Functional.glu(x, -1);
    }

    /**
     * The first half along a dimension, times the sigmoid of the second: that dimension is halved. As
     * {@code torch.nn.functional.glu}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            along which, from the back when negative
     * @return a new tensor, half as large along the dimension, the last by default; backward keeps x
     * @throws TensorException
     *             if the dimension's size is odd
     */
    public static Tensor glu(Tensor x, int dim) {
        return Calls.call(a -> Activations.glu(a[0], dim), x);
    }

    /**
     * Softmax of -x. As {@code torch.nn.functional.softmin}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            along which, from the back when negative
     * @return a new tensor, after -x; backward keeps the result
     * @throws TensorException
     *             of whole numbers, or if there is no such dimension
     */
    public static Tensor softmin(Tensor x, int dim) {
        return Calls.call(a -> Activations.softmin(a[0], dim), x);
    }

    /**
     * Exponentials along a dimension, divided by their sum. As {@code torch.nn.functional.softmax}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            along which, from the back when negative
     * @return a new tensor; backward keeps it; under autocast in float32
     * @throws TensorException
     *             of whole numbers, or if there is no such dimension
     */
    public static Tensor softmax(Tensor x, int dim) {
        return Calls.call(a -> Softmax.underAutocast(a[0], dim, false), x);
    }

    /**
     * Softmax computed, and given, in that dtype. As {@code torch.nn.functional.softmax}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            along which, from the back when negative
     * @param dtype
     *            a floating one; x is converted first, but float16 to float32 on the way
     * @return a new tensor of that dtype; backward keeps it
     * @throws TensorException
     *             for a dtype of whole numbers, or if there is no such dimension
     */
    public static Tensor softmax(Tensor x, int dim, DType dtype) {
        return Calls.call(a -> Softmax.in(dtype, a[0], dim, false), x);
    }

    /**
     * Logarithm of softmax. As {@code torch.nn.functional.log_softmax}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            along which, from the back when negative
     * @return a new tensor; backward keeps it; under autocast in float32
     * @throws TensorException
     *             of whole numbers, or if there is no such dimension
     */
    public static Tensor logSoftmax(Tensor x, int dim) {
        return Calls.call(a -> Softmax.underAutocast(a[0], dim, true), x);
    }

    /**
     * Logarithm of softmax computed, and given, in that dtype. As {@code torch.nn.functional.log_softmax}.
     *
     * @param x
     *            of any shape
     * @param dim
     *            along which, from the back when negative
     * @param dtype
     *            a floating one; x is converted first, but float16 to float32 on the way
     * @return a new tensor of that dtype; backward keeps it
     * @throws TensorException
     *             for a dtype of whole numbers, or if there is no such dimension
     */
    public static Tensor logSoftmax(Tensor x, int dim, DType dtype) {
        return Calls.call(a -> Softmax.in(dtype, a[0], dim, true), x);
    }

    /**
     * {@code gumbelSoftmax} with PyTorch's defaults: temperature 1 along the last dimension, soft. As
     * {@code torch.nn.functional.gumbel_softmax}.
     *
     * @param logits
     *            of any shape; the last dimension sums to 1, soft, at temperature 1
     * @return a new tensor; backward keeps the soft form
     */
    public static Tensor gumbelSoftmax(Tensor logits) {
        return Functional.gumbelSoftmax(logits, 1, false, -1);
    }

    /**
     * Softmax of x plus Gumbel noise, by a temperature; hard gives ones and zeros with the soft form's gradient. As
     * {@code torch.nn.functional.gumbel_softmax}.
     *
     * @param x
     *            of any shape
     * @param temperature
     *            above 0; low ones give nearly one 1 each
     * @param hard
     *            whether there is one 1 each and the soft form's gradient; false by default
     * @param dim
     *            along which, from the back when negative
     * @return a new tensor; composed: noise and soft form are tensors too, and backward keeps the soft form
     */
    public static Tensor gumbelSoftmax(Tensor x, double temperature, boolean hard, int dim) {
        return Calls.call(a -> AlphaDropouts.gumbel(a[0], temperature, hard, dim), x);
    }
}
