package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.arrange.CircularPads;
import io.vramlab.tensor.internal.ops.arrange.Pads;
import io.vramlab.tensor.internal.ops.arrange.Shuffles;
import io.vramlab.tensor.internal.ops.window.Geometry;
import io.vramlab.tensor.internal.ops.window.PoolShape;
import io.vramlab.tensor.internal.ops.window.Unfolding;
import io.vramlab.tensor.internal.ops.window.Windows;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s windows as columns and back, pads, shuffles of pixels and channels: new tensors, whose backward
 * keeps nothing.
 */
abstract sealed class FoldingFunctions extends ResizingFunctions permits ElementLossFunctions {

    /**
     * {@code unfold} with PyTorch's defaults: a square window, stride 1. As {@code torch.nn.functional.unfold}.
     *
     * @param x
     *            [n, c, h, w] or [c, h, w]
     * @param kernel
     *            size of the window, one number or two
     * @return a new tensor [n, c kh kw, windows], kh kw times as large as x at stride 1
     * @throws TensorException
     *             if the window is larger than the padded x
     */
    public static Tensor unfold(Tensor x, long kernel) {
        return Functional.unfold(x, new long[]{kernel, kernel}, new long[]{1, 1}, new long[]{0, 0}, new long[]{1, 1});
    }

    /**
     * Windows of [n, c, h, w] as columns: [n, c kh kw, windows]. As {@code torch.nn.functional.unfold}.
     *
     * @param x
     *            [n, c, h, w] or [c, h, w]
     * @param kernel
     *            size of the window, one number or two
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param stride
     *            step of the window; 1 by default
     * @return a new tensor [n, c kh kw, windows], kh kw times as large as x at stride 1
     * @throws TensorException
     *             if the window is larger than the padded x
     */
    public static Tensor unfold(Tensor x, long[] kernel, long[] dilation, long[] padding, long[] stride) {
        PoolShape p = PoolShape.of(2, kernel, Geometry.each(stride, 2, "stride"), padding, dilation, false);
        return Calls.call(a -> Unfolding.unfold(a[0], p), x);
    }

    /**
     * {@code unfold} with PyTorch's defaults: a square window. As {@code torch.nn.functional.unfold}.
     *
     * @param x
     *            [n, c, h, w] or [c, h, w]
     * @param kernel
     *            size of the window, one number or two
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param stride
     *            step of the window; 1 by default
     * @return a new tensor [n, c kh kw, windows], kh kw times as large as x at stride 1
     * @throws TensorException
     *             if the window is larger than the padded x
     */
    public static Tensor unfold(Tensor x, long kernel, long dilation, long padding, long stride) {
        return Functional.unfold(x, new long[]{kernel, kernel}, new long[]{dilation, dilation},
                new long[]{padding, padding},
                new long[]{stride, stride});
    }

    /**
     * {@code fold} with PyTorch's defaults: a square window, stride 1. As {@code torch.nn.functional.fold}.
     *
     * @param x
     *            [n, c kh kw, windows]
     * @param outputSize
     *            [h, w] of the result
     * @param kernel
     *            size of the window, one number or two
     * @return a new tensor [n, c, h, w], overlapping windows summed
     * @throws TensorException
     *             if x has not as many rows and columns
     */
    public static Tensor fold(Tensor x, long[] outputSize, long kernel) {
        return Functional.fold(x, outputSize, new long[]{kernel, kernel}, new long[]{1, 1}, new long[]{0, 0},
                new long[]{1, 1});
    }

    /**
     * Columns [n, c kh kw, windows] summed into [n, c, h, w]. As {@code torch.nn.functional.fold}.
     *
     * @param x
     *            [n, c kh kw, windows]
     * @param outputSize
     *            [h, w] of the result
     * @param kernel
     *            size of the window, one number or two
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param stride
     *            step of the window; 1 by default
     * @return a new tensor [n, c, h, w], overlapping windows summed
     * @throws TensorException
     *             if x has not as many rows and columns
     */
    public static Tensor fold(Tensor x, long[] outputSize, long[] kernel, long[] dilation, long[] padding,
            long[] stride) {
        PoolShape p = PoolShape.of(2, kernel, Geometry.each(stride, 2, "stride"), padding, dilation, false);
        long[] size = Geometry.each(outputSize, 2, "output size");
        return Calls.call(a -> Unfolding.fold(a[0], size, p), x);
    }

    /**
     * {@code fold} with PyTorch's defaults: a square window. As {@code torch.nn.functional.fold}.
     *
     * @param x
     *            [n, c kh kw, windows]
     * @param outputSize
     *            [h, w] of the result
     * @param kernel
     *            size of the window, one number or two
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param stride
     *            step of the window; 1 by default
     * @return a new tensor [n, c, h, w], overlapping windows summed
     * @throws TensorException
     *             if x has not as many rows and columns
     */
    public static Tensor fold(Tensor x, long[] outputSize, long kernel, long dilation, long padding, long stride) {
        return Functional.fold(x, outputSize, new long[]{kernel, kernel}, new long[]{dilation, dilation},
                new long[]{padding, padding}, new long[]{stride, stride});
    }

    /**
     * Pads the last dimensions with a value: before and after the last, then of the one before it, …; negative cuts. As
     * {@code torch.nn.functional.pad}.
     *
     * @param x
     *            of any shape
     * @param value
     *            of what is added
     * @param pads
     *            two numbers for each dimension from the last on: before, after
     * @return a new tensor
     * @throws TensorException
     *             for an odd or too large number of pads, or a negative size
     */
    public static Tensor pad(Tensor x, double value, long... pads) {
        return Calls.call(a -> Pads.pad(a[0], pads, Pads.Mode.CONSTANT, value), x);
    }

    /**
     * Pads with what lies on the other side of the edge, which is not repeated; order as {@link #pad}. As
     * {@code torch.nn.functional.pad}.
     *
     * @param x
     *            [n, c, …]
     * @param pads
     *            two numbers for each dimension from the last on: before, after
     * @return a new tensor
     * @throws TensorException
     *             for pads that do not fit, as large as x for a reflection
     */
    public static Tensor reflectionPad(Tensor x, long... pads) {
        return Calls.call(a -> Pads.pad(a[0], pads, Pads.Mode.REFLECT, 0), x);
    }

    /**
     * Pads with the edge's value; order as {@link #pad}. As {@code torch.nn.functional.pad}.
     *
     * @param x
     *            [n, c, …]
     * @param pads
     *            two numbers for each dimension from the last on: before, after
     * @return a new tensor
     * @throws TensorException
     *             for pads that do not fit, as large as x for a reflection
     */
    public static Tensor replicationPad(Tensor x, long... pads) {
        return Calls.call(a -> Pads.pad(a[0], pads, Pads.Mode.REPLICATE, 0), x);
    }

    /**
     * Pads with what lies at the other end; order as {@link #pad}. As {@code torch.nn.functional.pad}.
     *
     * @param x
     *            [n, c, …]
     * @param pads
     *            two numbers for each dimension from the last on: before, after
     * @return a new tensor, into which parts are copied
     * @throws TensorException
     *             for pads that do not fit, or larger than x
     */
    public static Tensor circularPad(Tensor x, long... pads) {
        return Calls.call(a -> CircularPads.pad(a[0], pads), x);
    }

    /**
     * [n, c r r, h, w] as [n, c, h r, w r]. As {@code torch.nn.functional.pixel_shuffle}.
     *
     * @param x
     *            [n, channels, h, w]
     * @param factor
     *            r
     * @return a new tensor of as many elements
     * @throws TensorException
     *             if channels or sizes cannot be divided so
     */
    public static Tensor pixelShuffle(Tensor x, long factor) {
        return Calls.call(a -> Shuffles.pixel(a[0], factor), x);
    }

    /**
     * [n, c, h r, w r] as [n, c r r, h, w]. As {@code torch.nn.functional.pixel_unshuffle}.
     *
     * @param x
     *            [n, channels, h, w]
     * @param factor
     *            r
     * @return a new tensor of as many elements
     * @throws TensorException
     *             if channels or sizes cannot be divided so
     */
    public static Tensor pixelUnshuffle(Tensor x, long factor) {
        return Calls.call(a -> Shuffles.unpixel(a[0], factor), x);
    }

    /**
     * The channels of [n, c, …] dealt out to so many groups. As {@code torch.nn.functional.channel_shuffle}.
     *
     * @param x
     *            [n, c, …]
     * @param groups
     *            divides c
     * @return a new tensor of as many elements
     * @throws TensorException
     *             if the channels cannot be divided so
     */
    public static Tensor channelShuffle(Tensor x, long groups) {
        return Calls.call(a -> Shuffles.channels(a[0], groups), x);
    }
}
