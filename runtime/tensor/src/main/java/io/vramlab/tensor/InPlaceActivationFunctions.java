package io.vramlab.tensor;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.layer.InPlaceActivations;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;
import java.lang.ref.Reference;
import java.util.function.Consumer;

/**
 * {@link Functional}'s activations in place: each writes into its argument's memory and returns the argument. Some keep
 * for backward only what they wrote, others a copy of what was there: then the memory saved is that of the forward pass
 * alone.
 */
abstract sealed class InPlaceActivationFunctions extends RectifierFunctions permits ActivationFunctions {

    /**
     * {@link #relu} in place: returns x. As {@code torch.nn.functional.relu_}.
     *
     * @param x
     *            changed, and returned
     * @return x; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor relu_(Tensor x) {
        return x.relu_();
    }

    /**
     * {@link #leakyRelu(Tensor, double)} in place: returns x. As {@code torch.nn.functional.leaky_relu_}.
     *
     * @param x
     *            changed, and returned
     * @param negativeSlope
     *            below 0; 0 or more
     * @return x; backward keeps it as it is now
     * @throws TensorException
     *             for a negative slope, which the result alone does not tell back
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor leakyRelu_(Tensor x, double negativeSlope) {
        if (negativeSlope < 0) {
            throw new TensorException("leaky_relu_ was asked for the slope " + negativeSlope
                    + ": in-place leakyRelu backward calculation is triggered with a negative slope which is not "
                    + "supported. Use leakyRelu.");
        }
        return write(x, a -> InPlaceActivations.leakyRelu(a, negativeSlope));
    }

    /**
     * {@link #elu} in place: returns x. As {@code torch.nn.functional.elu_}.
     *
     * @param x
     *            changed, and returned
     * @param alpha
     *            limit far below 0, with the sign turned
     * @return x; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor elu_(Tensor x, double alpha) {
        return write(x, a -> InPlaceActivations.elu(a, alpha, 1));
    }

    /**
     * {@link #selu} in place: returns x. As {@code torch.nn.functional.selu_}.
     *
     * @param x
     *            changed, and returned
     * @return x; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor selu_(Tensor x) {
        return write(x, a -> InPlaceActivations.elu(a, SELU_ALPHA * SELU_SCALE, SELU_SCALE));
    }

    /**
     * {@link #celu} in place: returns x. As {@code torch.nn.functional.celu_}.
     *
     * @param x
     *            changed, and returned
     * @param alpha
     *            limit far below 0, with the sign turned
     * @return x; backward keeps it as it is now
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor celu_(Tensor x, double alpha) {
        return write(x, a -> InPlaceActivations.celu(a, alpha));
    }

    /**
     * {@link #hardtanh} in place: returns x; a copy is kept for backward. As {@code torch.nn.functional.hardtanh_}.
     *
     * @param x
     *            changed, and returned
     * @param min
     *            lower bound
     * @param max
     *            upper bound
     * @return x; backward keeps a copy of what was there
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor hardtanh_(Tensor x, double min, double max) {
        return write(x, a -> InPlaceActivations.copying("HardtanhBackward1", ElementOp.CLAMP,
                ElementOp.HARDTANH_BACKWARD, a, min, max));
    }

    /**
     * {@link Functional#silu} in place: returns x; a copy is kept for backward. As
     * {@code torch.nn.functional.silu(inplace=True)}.
     *
     * @param x
     *            changed, and returned
     * @return x; backward keeps a copy of what was there
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor silu_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("SiluBackward0", ElementOp.SILU, ElementOp.SILU_BACKWARD, a));
    }

    /**
     * {@link Functional#mish} in place: returns x; a copy is kept for backward. As
     * {@code torch.nn.functional.mish(inplace=True)}.
     *
     * @param x
     *            changed, and returned
     * @return x; backward keeps a copy of what was there
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor mish_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("MishBackward0", ElementOp.MISH, ElementOp.MISH_BACKWARD, a));
    }

    /**
     * {@link Functional#hardswish} in place: returns x; a copy is kept for backward. As
     * {@code torch.nn.functional.hardswish(inplace=True)}.
     *
     * @param x
     *            changed, and returned
     * @return x; backward keeps a copy of what was there
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor hardswish_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("HardswishBackward0", ElementOp.HARDSWISH,
                ElementOp.HARDSWISH_BACKWARD, a));
    }

    /**
     * {@link Functional#hardsigmoid} in place: returns x; a copy is kept for backward. As
     * {@code torch.nn.functional.hardsigmoid(inplace=True)}.
     *
     * @param x
     *            changed, and returned
     * @return x; backward keeps a copy of what was there
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public static Tensor hardsigmoid_(Tensor x) {
        return write(x, a -> InPlaceActivations.copying("HardsigmoidBackward0", ElementOp.HARDSIGMOID,
                ElementOp.HARDSIGMOID_BACKWARD, a));
    }

    private static Tensor write(Tensor x, Consumer<TensorImpl> change) {
        change.accept(x.impl());
        Reference.reachabilityFence(x);
        return x;
    }
}
