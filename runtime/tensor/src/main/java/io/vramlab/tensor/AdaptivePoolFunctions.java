package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.ops.window.AdaptivePools;
import io.vramlab.tensor.internal.ops.window.FractionalPools;
import io.vramlab.tensor.internal.ops.window.Geometry;
import io.vramlab.tensor.internal.ops.window.MaxPools;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s pools whose windows follow from the result's sizes or are drawn. The batch n may be left away.
 * Positions are int64, within the line, plane or volume.
 */
abstract sealed class AdaptivePoolFunctions extends AveragePoolFunctions permits UnpoolFunctions {

    /**
     * Means of windows of [n, c, length] such that the result has that length. As
     * {@code torch.nn.functional.adaptive_avg_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param length
     *            of the result
     * @return a new tensor [n, c, length]; backward keeps x
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveAvgPool1d(Tensor x, long length) {
        return Calls.call(a -> {
            try (Temps t = new Temps()) {
                TensorImpl plane = t.own(Views.unsqueeze(a[0], -2));
                return Views.squeeze(t.own(AdaptivePools.average(plane, 1, length)), -2);
            }
        }, x);
    }

    /**
     * {@code adaptiveAvgPool2d} with PyTorch's defaults: a square. As {@code torch.nn.functional.adaptive_avg_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param size
     *            of the result, in each dimension
     * @return a new tensor [n, c, height, width]; backward keeps x
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveAvgPool2d(Tensor x, long size) {
        return Functional.adaptiveAvgPool2d(x, size, size);
    }

    /**
     * Means of windows of [n, c, h, w] such that the result has that height and width; 0 keeps a size. As
     * {@code torch.nn.functional.adaptive_avg_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param height
     *            of the result; 0 keeps x's
     * @param width
     *            of the result; 0 keeps x's
     * @return a new tensor [n, c, height, width]; backward keeps x
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveAvgPool2d(Tensor x, long height, long width) {
        return Calls.call(a -> AdaptivePools.average(a[0], height, width), x);
    }

    /**
     * {@code adaptiveAvgPool3d} with PyTorch's defaults: a cube. As {@code torch.nn.functional.adaptive_avg_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param size
     *            of the result, in each dimension
     * @return a new tensor [n, c, depth, height, width]; backward keeps x
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveAvgPool3d(Tensor x, long size) {
        return Functional.adaptiveAvgPool3d(x, size, size, size);
    }

    /**
     * Means of windows of [n, c, d, h, w] such that the result has those sizes; 0 keeps a size. As
     * {@code torch.nn.functional.adaptive_avg_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param depth
     *            of the result; 0 keeps x's
     * @param height
     *            of the result; 0 keeps x's
     * @param width
     *            of the result; 0 keeps x's
     * @return a new tensor [n, c, depth, height, width]; backward keeps x
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveAvgPool3d(Tensor x, long depth, long height, long width) {
        return Calls.call(a -> AdaptivePools.averages(a[0], new long[]{depth, height, width}), x);
    }

    /**
     * Largest of windows of [n, c, length] such that the result has that length. As
     * {@code torch.nn.functional.adaptive_max_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param length
     *            of the result
     * @return a new tensor [n, c, length]; backward keeps x and positions
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveMaxPool1d(Tensor x, long length) {
        return Calls.call(a -> AdaptivePools.largest(a[0], new long[]{length}, null), x);
    }

    /**
     * {@code adaptiveMaxPool2d} with PyTorch's defaults: a square. As {@code torch.nn.functional.adaptive_max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param size
     *            of the result, in each dimension
     * @return a new tensor [n, c, height, width]; backward keeps x and positions
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveMaxPool2d(Tensor x, long size) {
        return Functional.adaptiveMaxPool2d(x, size, size);
    }

    /**
     * Largest of windows of [n, c, h, w] such that the result has those sizes; 0 keeps a size. As
     * {@code torch.nn.functional.adaptive_max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param height
     *            of the result; 0 keeps x's
     * @param width
     *            of the result; 0 keeps x's
     * @return a new tensor [n, c, height, width]; backward keeps x and positions
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveMaxPool2d(Tensor x, long height, long width) {
        return Calls.call(a -> AdaptivePools.largest(a[0], new long[]{height, width}, null), x);
    }

    /**
     * {@code adaptiveMaxPool3d} with PyTorch's defaults: a cube. As {@code torch.nn.functional.adaptive_max_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param size
     *            of the result, in each dimension
     * @return a new tensor [n, c, depth, height, width]; backward keeps x and positions
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveMaxPool3d(Tensor x, long size) {
        return Functional.adaptiveMaxPool3d(x, size, size, size);
    }

    /**
     * Largest of windows of [n, c, d, h, w] such that the result has those sizes; 0 keeps a size. As
     * {@code torch.nn.functional.adaptive_max_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param depth
     *            of the result; 0 keeps x's
     * @param height
     *            of the result; 0 keeps x's
     * @param width
     *            of the result; 0 keeps x's
     * @return a new tensor [n, c, depth, height, width]; backward keeps x and positions
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor adaptiveMaxPool3d(Tensor x, long depth, long height, long width) {
        return Calls.call(a -> AdaptivePools.largest(a[0], new long[]{depth, height, width}, null), x);
    }

    /**
     * As an adaptive max pool over the last dimensions, as many as sizes, and the positions within a plane. As
     * {@code torch.nn.functional.adaptive_max_pool2d_with_indices}.
     *
     * @param x
     *            [n, c, …] with as many sizes as are given
     * @param sizes
     *            of the result, 1 to 3; 0 keeps x's
     * @return values and positions, two new tensors
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor[] adaptiveMaxPoolWithIndices(Tensor x, long... sizes) {
        return Calls.several(a -> {
            MaxPools.Positions at = new MaxPools.Positions();
            TensorImpl out = AdaptivePools.largest(a[0], sizes, at);
            return new TensorImpl[]{out, at.held};
        }, x);
    }

    /**
     * Largest of windows of that size at random places of [n, c, h, w], so many as the result has cells. As
     * {@code torch.nn.functional.fractional_max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @param outputSize
     *            cells, one number or [height, width]
     * @return a new tensor; backward keeps x and positions
     * @throws TensorException
     *             if the windows are too large
     */
    public static Tensor fractionalMaxPool2d(Tensor x, long[] kernel, long[] outputSize) {
        return fractional(2, x, kernel, outputSize)[0];
    }

    /**
     * Largest of windows of that size at random places of [n, c, d, h, w]. As
     * {@code torch.nn.functional.fractional_max_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param kernel
     *            size of the window
     * @param outputSize
     *            cells, one number or [depth, height, width]
     * @return a new tensor; backward keeps x and positions
     * @throws TensorException
     *             if the windows are too large
     */
    public static Tensor fractionalMaxPool3d(Tensor x, long[] kernel, long[] outputSize) {
        return fractional(3, x, kernel, outputSize)[0];
    }

    /**
     * As a fractional max pool over 2 or 3 dimensions, and the positions within a plane. As
     * {@code torch.nn.functional.fractional_max_pool2d_with_indices}.
     *
     * @param x
     *            [n, c, h, w] or [n, c, d, h, w]
     * @param kernel
     *            size of the window
     * @param outputSize
     *            cells, 2 or 3 numbers
     * @return values and positions, two new tensors
     * @throws TensorException
     *             if the windows are too large
     */
    public static Tensor[] fractionalMaxPoolWithIndices(Tensor x, long[] kernel, long... outputSize) {
        return fractional(outputSize.length, x, kernel, outputSize);
    }

    private static Tensor[] fractional(int dims, Tensor x, long[] kernel, long[] outputSize) {
        long[] size = Geometry.each(kernel, dims, "kernel size");
        long[] cells = Geometry.each(outputSize, dims, "output size");
        return Calls.several(a -> FractionalPools.of(a[0], size, cells), x);
    }
}
