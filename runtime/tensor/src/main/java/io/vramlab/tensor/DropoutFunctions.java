package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.layer.Normalization;
import io.vramlab.tensor.internal.ops.random.AlphaDropouts;
import io.vramlab.tensor.internal.ops.random.FeatureDropout;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s noise. When not training each gives another handle on its argument and takes no memory. Random
 * numbers come from the device's {@link io.vramlab.tensor.type.Generator}.
 */
abstract sealed class DropoutFunctions extends NormFunctions permits EmbeddingFunctions {

    /**
     * {@code dropout} with PyTorch's defaults: half of the elements, as in training. As
     * {@code torch.nn.functional.dropout}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps the mask of bool, 1 byte an element
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout(Tensor x) {
        return Functional.dropout(x, 0.5, true);
    }

    /**
     * {@code dropout} with PyTorch's defaults: as in training. As {@code torch.nn.functional.dropout}.
     *
     * @param x
     *            of any shape
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @return a new tensor; backward keeps the mask of bool, 1 byte an element
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout(Tensor x, double p) {
        return Functional.dropout(x, p, true);
    }

    /**
     * Each element zero with probability p, the others divided by 1 - p; a new handle on x when not training. As
     * {@code torch.nn.functional.dropout}.
     *
     * @param x
     *            of any shape
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor; backward keeps the mask of bool, 1 byte an element
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> Normalization.dropout(a[0], p, training), x);
    }

    /**
     * Nothing is dropped: PyTorch's default is evaluation. As {@code torch.nn.functional.alpha_dropout}.
     *
     * @param x
     *            of any shape
     * @return another handle on x
     */
    public static Tensor alphaDropout(Tensor x) {
        return Functional.alphaDropout(x, 0.5, false);
    }

    /**
     * Elements set to SELU's lower limit with probability p, the rest moved and scaled so that mean and variance stay.
     * As {@code torch.nn.functional.alpha_dropout}.
     *
     * @param x
     *            of any shape
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor, after noise and shift of its size; backward keeps the noise
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor alphaDropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> AlphaDropouts.of(a[0], p, training, false), x);
    }

    /**
     * Nothing is dropped: PyTorch's default is evaluation. As {@code torch.nn.functional.feature_alpha_dropout}.
     *
     * @param x
     *            [n, c, …]
     * @return another handle on x
     */
    public static Tensor featureAlphaDropout(Tensor x) {
        return Functional.featureAlphaDropout(x, 0.5, false);
    }

    /**
     * {@link #alphaDropout} of whole channels of [n, c, …]. As {@code torch.nn.functional.feature_alpha_dropout}.
     *
     * @param x
     *            [n, c, …]
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor featureAlphaDropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> AlphaDropouts.of(a[0], p, training, true), x);
    }

    /**
     * Whole channels of [n, c, …] zero with probability p, the others divided by 1 - p, when training. As
     * {@code torch.feature_dropout}.
     *
     * @param x
     *            [n, c, …]
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1], or of less than two dimensions
     */
    public static Tensor featureDropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> FeatureDropout.of(a[0], p, training), x);
    }

    /**
     * {@code dropout1d} with PyTorch's defaults: half of the channels, as in training. As
     * {@code torch.nn.functional.dropout1d}.
     *
     * @param x
     *            [n, c, length] or [c, length]
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout1d(Tensor x) {
        return Functional.dropout1d(x, 0.5, true);
    }

    /**
     * Dropout of whole channels of [n, c, length]. As {@code torch.nn.functional.dropout1d}.
     *
     * @param x
     *            [n, c, length] or [c, length]
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout1d(Tensor x, double p, boolean training) {
        return channels(x, p, training, 2);
    }

    /**
     * {@code dropout2d} with PyTorch's defaults: half of the channels, as in training. As
     * {@code torch.nn.functional.dropout2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1], or of less than two dimensions
     */
    public static Tensor dropout2d(Tensor x) {
        return Functional.dropout2d(x, 0.5, true);
    }

    /**
     * Dropout of whole channels of [n, c, h, w]. As {@code torch.nn.functional.dropout2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1], or of less than two dimensions
     */
    public static Tensor dropout2d(Tensor x, double p, boolean training) {
        return featureDropout(x, p, training);
    }

    /**
     * {@code dropout3d} with PyTorch's defaults: half of the channels, as in training. As
     * {@code torch.nn.functional.dropout3d}.
     *
     * @param x
     *            [n, c, d, h, w] or [c, d, h, w]
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout3d(Tensor x) {
        return Functional.dropout3d(x, 0.5, true);
    }

    /**
     * Dropout of whole channels of [n, c, d, h, w]. As {@code torch.nn.functional.dropout3d}.
     *
     * @param x
     *            [n, c, d, h, w] or [c, d, h, w]
     * @param p
     *            probability of a zero, from 0 to 1; 0.5 by default
     * @param training
     *            whether anything is dropped; true by default
     * @return a new tensor; backward keeps the noise, one number a channel
     * @throws TensorException
     *             if p is outside of [0, 1]
     */
    public static Tensor dropout3d(Tensor x, double p, boolean training) {
        return channels(x, p, training, 4);
    }

    private static Tensor channels(Tensor x, double p, boolean training, int unbatched) {
        if (x.dim() != unbatched) {
            return featureDropout(x, p, training);
        }
        return Calls.call(a -> {
            try (Temps t = new Temps()) {
                TensorImpl one = t.own(Views.unsqueeze(a[0], 0));
                return Views.squeeze(t.own(FeatureDropout.of(one, p, training)), 0);
            }
        }, x);
    }
}
