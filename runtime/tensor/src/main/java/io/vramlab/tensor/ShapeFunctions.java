package io.vramlab.tensor;

import io.vramlab.tensor.core.Temps;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.arrange.Pads;
import io.vramlab.tensor.ops.arrange.Repeats;
import io.vramlab.tensor.ops.arrange.Shuffles;
import io.vramlab.tensor.ops.layer.GroupNorm;
import io.vramlab.tensor.ops.layer.InstanceNorm;
import io.vramlab.tensor.ops.layer.RmsNorm;
import io.vramlab.tensor.ops.random.FeatureDropout;
import io.vramlab.tensor.ops.view.Views;
import io.vramlab.tensor.ops.window.AdaptivePools;

/** {@link Functional}'s norms over groups, channel dropout, pads, adaptive pools and shuffles. */
abstract class ShapeFunctions extends LossFunctions {

    /** Over groups of channels of [n, c, …]; weight and bias [c] or null. */
    public static Tensor groupNorm(Tensor x, long groups, Tensor weight, Tensor bias, double eps) {
        return Calls.full(a -> GroupNorm.of(a[0], groups, a[1], a[2], eps), x, weight, bias);
    }

    /**
     * Over each channel of each sample of [n, c, …]; all others [c] or null. With the input's statistics the running ones
     * are updated, else they are used.
     */
    public static Tensor instanceNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean useInputStatistics, double momentum, double eps) {
        return Calls.call(a -> InstanceNorm.of(a[0], a[1], a[2], a[3], a[4], useInputStatistics, momentum, eps), x,
                runningMean, runningVar, weight, bias);
    }

    /** By the root of the mean square over the last dimensions, of those sizes; weight of that shape, or null. */
    public static Tensor rmsNorm(Tensor x, long[] normalizedShape, Tensor weight, double eps) {
        return Calls.call(a -> RmsNorm.of(a[0], normalizedShape, a[1], eps), x, weight);
    }

    /** Whole channels of [n, c, …] zero with probability p, the others divided by 1 - p, when training. */
    public static Tensor featureDropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> FeatureDropout.of(a[0], p, training), x);
    }

    /** Pads the last dimensions with a value: before and after the last, then of the one before it, …; negative cuts. */
    public static Tensor pad(Tensor x, double value, long... pads) {
        return Calls.call(a -> Pads.pad(a[0], pads, Pads.Mode.CONSTANT, value), x);
    }

    /** Pads with what lies on the other side of the edge, which is not repeated; order as {@link #pad}. */
    public static Tensor reflectionPad(Tensor x, long... pads) {
        return Calls.call(a -> Pads.pad(a[0], pads, Pads.Mode.REFLECT, 0), x);
    }

    /** Pads with the edge's value; order as {@link #pad}. */
    public static Tensor replicationPad(Tensor x, long... pads) {
        return Calls.call(a -> Pads.pad(a[0], pads, Pads.Mode.REPLICATE, 0), x);
    }

    /** Means of windows of [n, c, h, w] such that the result has that height and width; 0 keeps a size. */
    public static Tensor adaptiveAvgPool2d(Tensor x, long height, long width) {
        return Calls.call(a -> AdaptivePools.average(a[0], height, width), x);
    }

    /** Means of windows of [n, c, length] such that the result has that length. */
    public static Tensor adaptiveAvgPool1d(Tensor x, long length) {
        return Calls.call(a -> {
            try (Temps t = new Temps()) {
                TensorImpl plane = t.own(Views.unsqueeze(a[0], -2));
                return Views.squeeze(t.own(AdaptivePools.average(plane, 1, length)), -2);
            }
        }, x);
    }

    /** [n, c r r, h, w] as [n, c, h r, w r]. */
    public static Tensor pixelShuffle(Tensor x, long factor) {
        return Calls.call(a -> Shuffles.pixel(a[0], factor), x);
    }

    /** [n, c, h r, w r] as [n, c r r, h, w]. */
    public static Tensor pixelUnshuffle(Tensor x, long factor) {
        return Calls.call(a -> Shuffles.unpixel(a[0], factor), x);
    }

    /** The channels of [n, c, …] dealt out to so many groups. */
    public static Tensor channelShuffle(Tensor x, long groups) {
        return Calls.call(a -> Shuffles.channels(a[0], groups), x);
    }

    /** So many copies along each dimension; further dimensions are added in front. */
    public static Tensor repeat(Tensor x, long... times) {
        return Calls.call(a -> Repeats.repeat(a[0], times), x);
    }
}
