package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.internal.ops.statistics.Statistics;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s activations, as {@link Functional} has them all.
 */
abstract sealed class ActivationMethods extends RoundingMethods permits ComparisonMethods {

    /**
     * max(this, 0). As {@code torch.relu}.
     *
     * @return a new tensor of this shape and dtype; backward keeps the result
     */
    public Tensor relu() {
        return map(Pointwise::relu);
    }

    /**
     * this * sigmoid(this). As {@code torch.nn.functional.silu}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor silu() {
        return map(Pointwise::silu);
    }

    /**
     * 1 / (1 + exp(-this)). As {@code torch.sigmoid}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result
     */
    public Tensor sigmoid() {
        return map(Pointwise::sigmoid);
    }

    /**
     * log(x / (1 - x)). As {@code torch.logit}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor logit() {
        return map(a -> SpecialFunctions.logit(a, -1));
    }

    /**
     * log(x / (1 - x)), x limited to [eps, 1 - eps]. As {@code torch.logit}.
     *
     * @param eps
     *            limits what is below it or above 1 - eps; none in the short form
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor logit(double eps) {
        return map(a -> SpecialFunctions.logit(a, eps));
    }

    /**
     * this * Phi(this), Phi the normal distribution's function. As {@code torch.nn.functional.gelu}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor gelu() {
        return map(a -> Pointwise.gelu(a, false));
    }

    /**
     * GELU by PyTorch's {@code approximate='tanh'}. As {@code torch.nn.functional.gelu}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor geluTanh() {
        return map(a -> Pointwise.gelu(a, true));
    }

    /**
     * Exponentials along a dimension, divided by their sum. As {@code torch.softmax}.
     *
     * @param dim
     *            along which the exponentials sum to 1; from the back when negative
     * @return a new tensor of this shape and dtype, after a contiguous copy if this is not contiguous; backward keeps
     *         the result; under autocast in float32
     * @throws TensorException
     *             of whole numbers, or if there is no such dimension
     */
    public Tensor softmax(int dim) {
        return map(a -> AutocastMode.full(x -> Softmax.of(x[0], dim, false), a));
    }

    /**
     * Softmax in another dtype. As {@code torch.softmax}.
     *
     * @param dim
     *            along which the exponentials sum to 1; from the back when negative
     * @param dtype
     *            a floating one, to which this is converted before
     * @return a new tensor of this shape and that dtype, after a converted copy; backward keeps the result
     * @throws TensorException
     *             for a dtype of whole numbers, or if there is no such dimension
     */
    public Tensor softmax(int dim, DType dtype) {
        return map(a -> Statistics.softmaxAs(a, dim, dtype, false));
    }

    /**
     * Logarithm of softmax. As {@code torch.log_softmax}.
     *
     * @param dim
     *            along which the exponentials sum to 1; from the back when negative
     * @return a new tensor of this shape and dtype, after a contiguous copy if this is not contiguous; backward keeps
     *         the result; under autocast in float32
     * @throws TensorException
     *             of whole numbers, or if there is no such dimension
     */
    public Tensor logSoftmax(int dim) {
        return map(a -> AutocastMode.full(x -> Softmax.of(x[0], dim, true), a));
    }

    /**
     * Logarithm of softmax in another dtype. As {@code torch.log_softmax}.
     *
     * @param dim
     *            along which the exponentials sum to 1; from the back when negative
     * @param dtype
     *            a floating one, to which this is converted before
     * @return a new tensor of this shape and that dtype, after a converted copy; backward keeps the result
     * @throws TensorException
     *             for a dtype of whole numbers, or if there is no such dimension
     */
    public Tensor logSoftmax(int dim, DType dtype) {
        return map(a -> Statistics.softmaxAs(a, dim, dtype, true));
    }
}
