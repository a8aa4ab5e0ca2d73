package io.vramlab.tensor;

import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.window.MaxPools;
import io.vramlab.tensor.internal.ops.window.PoolShape;
import io.vramlab.tensor.internal.ops.window.Windows;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s largest elements of windows of a fixed size. Sizes of one dimension may be one number for all,
 * or one each; the batch n may be left away. All throw {@link TensorException} for a number of dimensions, a window or
 * a padding that does not fit. Backward keeps x and the positions, int64: 8 bytes for each element of the result, which
 * are taken for the while even without gradients.
 */
abstract sealed class MaxPoolFunctions extends TransposedConvolutionFunctions permits AveragePoolFunctions {

    private static Tensor largest(int dims, Tensor x, long[] kernel, long[] stride, long[] padding, long[] dilation,
            boolean ceil) {
        PoolShape p = PoolShape.of(dims, kernel, stride, padding, dilation, ceil);
        return Calls.call(a -> MaxPools.of(a[0], p, null), x);
    }

    private static Tensor[] largestWithIndices(int dims, Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        PoolShape p = PoolShape.of(dims, kernel, stride, padding, dilation, ceil);
        return Calls.several(a -> {
            MaxPools.Positions at = new MaxPools.Positions();
            TensorImpl out = MaxPools.of(a[0], p, at);
            return new TensorImpl[]{out, at.held};
        }, x);
    }

    /**
     * Largest of each window of [n, c, length], side by side. As {@code torch.nn.functional.max_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param kernel
     *            size of the window
     * @return a new tensor [n, c, length']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool1d(Tensor x, long kernel) {
        return maxPool1d(x, kernel, kernel, 0, 1, false);
    }

    /**
     * With all; with {@code ceil} the last window may reach beyond the end. As {@code torch.nn.functional.max_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return a new tensor [n, c, length']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool1d(Tensor x, long kernel, long stride, long padding, long dilation, boolean ceil) {
        return largest(1, x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, new long[]{dilation}, ceil);
    }

    /**
     * Largest of each window of [n, c, h, w], side by side. As {@code torch.nn.functional.max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @return a new tensor [n, c, h', w']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool2d(Tensor x, long kernel) {
        return maxPool2d(x, kernel, kernel, 0);
    }

    /**
     * Largest of each window of [n, c, h, w]. As {@code torch.nn.functional.max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param window
     *            kernel, stride, padding and dilation
     * @return a new tensor [n, c, h', w']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool2d(Tensor x, Window window) {
        return Calls.call(a -> Windows.maxPool2d(a[0], window), x);
    }

    /**
     * With steps, and what is smaller than everything on all sides. As {@code torch.nn.functional.max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @return a new tensor [n, c, h', w']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool2d(Tensor x, long kernel, long stride, long padding) {
        return maxPool2d(x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, ONE, false);
    }

    /**
     * With all, each dimension its own. As {@code torch.nn.functional.max_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return a new tensor [n, c, h', w']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool2d(Tensor x, long[] kernel, long[] stride, long[] padding, long[] dilation,
            boolean ceil) {
        return largest(2, x, kernel, stride, padding, dilation, ceil);
    }

    /**
     * Largest of each window of [n, c, d, h, w], side by side. As {@code torch.nn.functional.max_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param kernel
     *            size of the window
     * @return a new tensor [n, c, d', h', w']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool3d(Tensor x, long kernel) {
        return maxPool3d(x, new long[]{kernel}, null, ZERO, ONE, false);
    }

    /**
     * With all, each dimension its own. As {@code torch.nn.functional.max_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return a new tensor [n, c, d', h', w']; backward keeps x and positions
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor maxPool3d(Tensor x, long[] kernel, long[] stride, long[] padding, long[] dilation,
            boolean ceil) {
        return largest(3, x, kernel, stride, padding, dilation, ceil);
    }

    /**
     * As the max pool, and the positions, int64, within the length. As
     * {@code torch.nn.functional.max_pool1d_with_indices}.
     *
     * @param x
     *            [n, c, length]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return values and positions, two new tensors
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor[] maxPool1dWithIndices(Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        return largestWithIndices(1, x, kernel, stride, padding, dilation, ceil);
    }

    /**
     * As the max pool, and the positions, int64, within the plane. As
     * {@code torch.nn.functional.max_pool2d_with_indices}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return values and positions, two new tensors
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor[] maxPool2dWithIndices(Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        return largestWithIndices(2, x, kernel, stride, padding, dilation, ceil);
    }

    /**
     * As the max pool, and the positions, int64, within the volume. As
     * {@code torch.nn.functional.max_pool3d_with_indices}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            on each side, at most half of the kernel; 0 by default
     * @param dilation
     *            distance between a window's elements; 1 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return values and positions, two new tensors
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor[] maxPool3dWithIndices(Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        return largestWithIndices(3, x, kernel, stride, padding, dilation, ceil);
    }
}
