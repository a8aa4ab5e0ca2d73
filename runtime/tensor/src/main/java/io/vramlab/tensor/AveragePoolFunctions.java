package io.vramlab.tensor;

import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.internal.ops.window.AveragePools;
import io.vramlab.tensor.internal.ops.window.Geometry;
import io.vramlab.tensor.internal.ops.window.PoolShape;
import io.vramlab.tensor.internal.ops.window.Windows;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * {@link Functional}'s means and p-norms of windows of a fixed size; sizes and refusals as those of
 * {@link #maxPool2d(Tensor, long)}.
 */
abstract sealed class AveragePoolFunctions extends MaxPoolFunctions permits AdaptivePoolFunctions {

    private static Tensor mean(int dims, Tensor x, long[] kernel, long[] stride, long[] padding, boolean ceil,
            boolean countIncludePad, long divisor) {
        PoolShape p = PoolShape.of(dims, kernel, stride, padding, ONE, ceil);
        return Calls.call(a -> AveragePools.of(a[0], p, countIncludePad, divisor), x);
    }

    /**
     * Mean of each window of [n, c, length], side by side. As {@code torch.nn.functional.avg_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param kernel
     *            size of the window
     * @return a new tensor [n, c, length']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool1d(Tensor x, long kernel) {
        return avgPool1d(x, kernel, kernel, 0, false, true);
    }

    /**
     * With all. As {@code torch.nn.functional.avg_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            zeros on each side, at most half of the kernel; 0 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @param countIncludePad
     *            whether padded zeros count in the mean; true by default
     * @return a new tensor [n, c, length']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool1d(Tensor x, long kernel, long stride, long padding, boolean ceil,
            boolean countIncludePad) {
        return mean(1, x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, ceil, countIncludePad, 0);
    }

    /**
     * Mean of each window of [n, c, h, w], side by side. As {@code torch.nn.functional.avg_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @return a new tensor [n, c, h', w']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool2d(Tensor x, long kernel) {
        return avgPool2d(x, kernel, kernel, 0);
    }

    /**
     * Mean of each window of [n, c, h, w]; padding counts. As {@code torch.nn.functional.avg_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param window
     *            kernel, stride and padding
     * @return a new tensor [n, c, h', w']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool2d(Tensor x, Window window) {
        return Calls.call(a -> Windows.avgPool2d(a[0], window), x);
    }

    /**
     * With steps, and zeros on all sides, which count. As {@code torch.nn.functional.avg_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            zeros on each side, at most half of the kernel; 0 by default
     * @return a new tensor [n, c, h', w']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool2d(Tensor x, long kernel, long stride, long padding) {
        return avgPool2d(x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, false, true, 0);
    }

    /**
     * With all, each dimension its own; a divisor of 0 is the window's size. As {@code torch.nn.functional.avg_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            zeros on each side, at most half of the kernel; 0 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @param countIncludePad
     *            whether padded zeros count in the mean; true by default
     * @param divisor
     *            what sums are divided by; 0 for the window's size
     * @return a new tensor [n, c, h', w']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool2d(Tensor x, long[] kernel, long[] stride, long[] padding, boolean ceil,
            boolean countIncludePad, long divisor) {
        return mean(2, x, kernel, stride, padding, ceil, countIncludePad, divisor);
    }

    /**
     * Mean of each window of [n, c, d, h, w]; a stride of null is the kernel, a divisor of 0 the window's size. As
     * {@code torch.nn.functional.avg_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param padding
     *            zeros on each side, at most half of the kernel; 0 by default
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @param countIncludePad
     *            whether padded zeros count in the mean; true by default
     * @param divisor
     *            what sums are divided by; 0 for the window's size
     * @return a new tensor [n, c, d', h', w']; backward keeps x
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor avgPool3d(Tensor x, long[] kernel, long[] stride, long[] padding, boolean ceil,
            boolean countIncludePad, long divisor) {
        return mean(3, x, kernel, stride, padding, ceil, countIncludePad, divisor);
    }

    /**
     * {@code lpPool1d} with PyTorch's defaults: windows side by side. As {@code torch.nn.functional.lp_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param norm
     *            exponent p, not 0
     * @param kernel
     *            size of the window
     * @return a new tensor; composed: powers of x's size and several of the result's are tensors on the way
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor lpPool1d(Tensor x, double norm, long kernel) {
        return Functional.lpPool1d(x, norm, new long[]{kernel}, new long[]{kernel}, false);
    }

    /**
     * The root of the sum of powers of each window of [n, c, length]; a stride of null is the kernel. As
     * {@code torch.nn.functional.lp_pool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param norm
     *            exponent p, not 0
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return a new tensor; composed: powers of x's size and several of the result's are tensors on the way
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor lpPool1d(Tensor x, double norm, long[] kernel, long[] stride, boolean ceil) {
        return norms(x, norm, kernel, p -> mean(1, p, kernel, stride, ZERO, ceil, true, 0), 1);
    }

    /**
     * {@code lpPool2d} with PyTorch's defaults: square windows side by side. As {@code torch.nn.functional.lp_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param norm
     *            exponent p, not 0
     * @param kernel
     *            size of the window
     * @return a new tensor; composed: powers of x's size and several of the result's are tensors on the way
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor lpPool2d(Tensor x, double norm, long kernel) {
        return Functional.lpPool2d(x, norm, new long[]{kernel, kernel}, new long[]{kernel, kernel}, false);
    }

    /**
     * Of [n, c, h, w]. As {@code torch.nn.functional.lp_pool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param norm
     *            exponent p, not 0
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return a new tensor; composed: powers of x's size and several of the result's are tensors on the way
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor lpPool2d(Tensor x, double norm, long[] kernel, long[] stride, boolean ceil) {
        return norms(x, norm, kernel, p -> mean(2, p, kernel, stride, ZERO, ceil, true, 0), 2);
    }

    /**
     * Of [n, c, d, h, w]. As {@code torch.nn.functional.lp_pool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param norm
     *            exponent p, not 0
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window; null, the default, for the kernel
     * @param ceil
     *            whether the last window may reach beyond the end; false by default
     * @return a new tensor; composed: powers of x's size and several of the result's are tensors on the way
     * @throws TensorException
     *             if the window does not fit
     */
    public static Tensor lpPool3d(Tensor x, double norm, long[] kernel, long[] stride, boolean ceil) {
        return norms(x, norm, kernel, p -> mean(3, p, kernel, stride, ZERO, ceil, true, 0), 3);
    }

    /** As torch.nn.functional.lp_pool: each name lives as long as there. */
    private static Tensor norms(Tensor x, double norm, long[] kernel, UnaryOperator<Tensor> pool, int dims) {
        long size = Arrays.stream(Geometry.each(kernel, dims, "kernel size")).reduce(1, (a, b) -> a * b);
        Tensor means;
        try (Tensor powers = x.pow(norm)) {
            means = pool.apply(powers);
        }
        try (means) {
            Tensor signed;
            try (Tensor sign = means.sign(); Tensor positive = positive(means)) {
                signed = sign.mul(positive);
            }
            Tensor sums;
            try (signed) {
                sums = signed.mul((double) size);
            }
            try (sums) {
                return sums.pow(1 / norm);
            }
        }
    }

    private static Tensor positive(Tensor means) {
        try (Tensor size = means.abs()) {
            return size.relu();
        }
    }
}
