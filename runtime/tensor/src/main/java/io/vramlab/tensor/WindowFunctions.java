package io.vramlab.tensor;

import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.window.AdaptivePools;
import io.vramlab.tensor.ops.window.AveragePools;
import io.vramlab.tensor.ops.window.Convolutions;
import io.vramlab.tensor.ops.window.FractionalPools;
import io.vramlab.tensor.ops.window.Geometry;
import io.vramlab.tensor.ops.window.GridSamples;
import io.vramlab.tensor.ops.matrix.AffineGrids;
import io.vramlab.tensor.ops.window.Interpolation;
import io.vramlab.tensor.ops.window.MaxPools;
import io.vramlab.tensor.ops.window.MaxUnpools;
import io.vramlab.tensor.ops.window.PoolShape;
import io.vramlab.tensor.ops.window.Unfolding;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * {@link Functional}'s convolutions, pools, folds and interpolation. Sizes of one dimension may be one number for all, or
 * one each; n is the batch, which may be left away.
 */
abstract class WindowFunctions extends ShapeFunctions {

    private static final long[] ONE = {1};
    private static final long[] ZERO = {0};

    private static Tensor convolve(Tensor x, Tensor weight, Tensor bias, Geometry g) {
        return Calls.lower(a -> Convolutions.of(a[0], a[1], a[2], g), x, weight, bias);
    }

    private static Tensor convolve(int dims, Tensor x, Tensor weight, Tensor bias, long[] stride, String padding,
            long[] dilation, int groups) {
        return Calls.lower(a -> Convolutions.of(a[0], a[1], a[2], stride, padding, dilation, groups, dims), x, weight,
                bias);
    }

    /** Convolution of [n, in, length] with weight [out, in, k]. */
    public static Tensor conv1d(Tensor x, Tensor weight) {
        return conv1d(x, weight, null);
    }

    /** Convolution of [n, in, length] with weight [out, in, k] and bias [out] or null. */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias) {
        return conv1d(x, weight, bias, 1, 0);
    }

    /** With steps, and zeros on both sides. */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return conv1d(x, weight, bias, stride, padding, 1, 1);
    }

    /** With all: weight [out, in / groups, k]. */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias, long stride, long padding, long dilation,
            int groups) {
        return convolve(x, weight, bias, Geometry.of(1, new long[]{stride}, new long[]{padding}, new long[]{dilation},
                groups));
    }

    /** With the padding as PyTorch's word, {@code same} or {@code valid}. */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias, long stride, String padding, long dilation,
            int groups) {
        return convolve(1, x, weight, bias, new long[]{stride}, padding, new long[]{dilation}, groups);
    }

    /** Convolution of [n, in, h, w] with weight [out, in, kh, kw]. */
    public static Tensor conv2d(Tensor x, Tensor weight) {
        return conv2d(x, weight, null);
    }

    /** Convolution of [n, in, h, w] with weight [out, in, kh, kw] and bias [out] or null. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias) {
        return conv2d(x, weight, bias, ONE, ZERO, ONE, 1);
    }

    /** With steps, and zeros on all sides. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return conv2d(x, weight, bias, stride, padding, 1, 1);
    }

    /** With all: weight [out, in / groups, kh, kw]. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long stride, long padding, long dilation,
            int groups) {
        return conv2d(x, weight, bias, new long[]{stride}, new long[]{padding}, new long[]{dilation}, groups);
    }

    /** With all, each dimension its own. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding, long[] dilation,
            int groups) {
        return convolve(x, weight, bias, Geometry.of(2, stride, padding, dilation, groups));
    }

    /** With the padding as PyTorch's word, {@code same} or {@code valid}. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long[] stride, String padding, long[] dilation,
            int groups) {
        return convolve(2, x, weight, bias, stride, padding, dilation, groups);
    }

    /** Convolution of [n, in, d, h, w] with weight [out, in, kd, kh, kw] and bias [out] or null. */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias) {
        return conv3d(x, weight, bias, ONE, ZERO, ONE, 1);
    }

    /** With steps, and zeros on all sides. */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return conv3d(x, weight, bias, new long[]{stride}, new long[]{padding}, ONE, 1);
    }

    /** With all, each dimension its own. */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding, long[] dilation,
            int groups) {
        return convolve(x, weight, bias, Geometry.of(3, stride, padding, dilation, groups));
    }

    /** With the padding as PyTorch's word, {@code same} or {@code valid}. */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias, long[] stride, String padding, long[] dilation,
            int groups) {
        return convolve(3, x, weight, bias, stride, padding, dilation, groups);
    }

    /** Gradient of a convolution for its input, as an operation: [n, in, length] with weight [in, out / groups, k]. */
    public static Tensor convTranspose1d(Tensor x, Tensor weight, Tensor bias, long stride, long padding,
            long outputPadding, int groups, long dilation) {
        return convolve(x, weight, bias, Geometry.transposed(1, new long[]{stride}, new long[]{padding},
                new long[]{outputPadding}, groups, new long[]{dilation}));
    }

    /** Of [n, in, h, w] with weight [in, out, kh, kw]. */
    public static Tensor convTranspose2d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return convTranspose2d(x, weight, bias, new long[]{stride}, new long[]{padding}, ZERO, 1, ONE);
    }

    /** With all, in PyTorch's order, each dimension its own: weight [in, out / groups, kh, kw]. */
    public static Tensor convTranspose2d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding,
            long[] outputPadding, int groups, long[] dilation) {
        return convolve(x, weight, bias, Geometry.transposed(2, stride, padding, outputPadding, groups, dilation));
    }

    /** Of [n, in, d, h, w] with weight [in, out / groups, kd, kh, kw]. */
    public static Tensor convTranspose3d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding,
            long[] outputPadding, int groups, long[] dilation) {
        return convolve(x, weight, bias, Geometry.transposed(3, stride, padding, outputPadding, groups, dilation));
    }

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

    /** Largest of each window of [n, c, length], side by side. */
    public static Tensor maxPool1d(Tensor x, long kernel) {
        return maxPool1d(x, kernel, kernel, 0, 1, false);
    }

    /** With all; with {@code ceil} the last window may reach beyond the end. */
    public static Tensor maxPool1d(Tensor x, long kernel, long stride, long padding, long dilation, boolean ceil) {
        return largest(1, x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, new long[]{dilation}, ceil);
    }

    /** Largest of each window of [n, c, h, w], side by side. */
    public static Tensor maxPool2d(Tensor x, long kernel) {
        return maxPool2d(x, kernel, kernel, 0);
    }

    /** With steps, and what is smaller than everything on all sides. */
    public static Tensor maxPool2d(Tensor x, long kernel, long stride, long padding) {
        return maxPool2d(x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, ONE, false);
    }

    /** With all, each dimension its own. */
    public static Tensor maxPool2d(Tensor x, long[] kernel, long[] stride, long[] padding, long[] dilation,
            boolean ceil) {
        return largest(2, x, kernel, stride, padding, dilation, ceil);
    }

    /** Largest of each window of [n, c, d, h, w], side by side. */
    public static Tensor maxPool3d(Tensor x, long kernel) {
        return maxPool3d(x, new long[]{kernel}, null, ZERO, ONE, false);
    }

    /** With all, each dimension its own. */
    public static Tensor maxPool3d(Tensor x, long[] kernel, long[] stride, long[] padding, long[] dilation,
            boolean ceil) {
        return largest(3, x, kernel, stride, padding, dilation, ceil);
    }

    /** As the max pool, and the positions, int64, within the length. */
    public static Tensor[] maxPool1dWithIndices(Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        return largestWithIndices(1, x, kernel, stride, padding, dilation, ceil);
    }

    /** As the max pool, and the positions, int64, within the plane. */
    public static Tensor[] maxPool2dWithIndices(Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        return largestWithIndices(2, x, kernel, stride, padding, dilation, ceil);
    }

    /** As the max pool, and the positions, int64, within the volume. */
    public static Tensor[] maxPool3dWithIndices(Tensor x, long[] kernel, long[] stride, long[] padding,
            long[] dilation, boolean ceil) {
        return largestWithIndices(3, x, kernel, stride, padding, dilation, ceil);
    }

    private static Tensor mean(int dims, Tensor x, long[] kernel, long[] stride, long[] padding, boolean ceil,
            boolean countIncludePad, long divisor) {
        PoolShape p = PoolShape.of(dims, kernel, stride, padding, ONE, ceil);
        return Calls.call(a -> AveragePools.of(a[0], p, countIncludePad, divisor), x);
    }

    /** Mean of each window of [n, c, length], side by side. */
    public static Tensor avgPool1d(Tensor x, long kernel) {
        return avgPool1d(x, kernel, kernel, 0, false, true);
    }

    /** With all. */
    public static Tensor avgPool1d(Tensor x, long kernel, long stride, long padding, boolean ceil,
            boolean countIncludePad) {
        return mean(1, x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, ceil, countIncludePad, 0);
    }

    /** Mean of each window of [n, c, h, w], side by side. */
    public static Tensor avgPool2d(Tensor x, long kernel) {
        return avgPool2d(x, kernel, kernel, 0);
    }

    /** With steps, and zeros on all sides, which count. */
    public static Tensor avgPool2d(Tensor x, long kernel, long stride, long padding) {
        return avgPool2d(x, new long[]{kernel}, new long[]{stride}, new long[]{padding}, false, true, 0);
    }

    /** With all, each dimension its own; a divisor of 0 is the window's size. */
    public static Tensor avgPool2d(Tensor x, long[] kernel, long[] stride, long[] padding, boolean ceil,
            boolean countIncludePad, long divisor) {
        return mean(2, x, kernel, stride, padding, ceil, countIncludePad, divisor);
    }

    /** Mean of each window of [n, c, d, h, w]; a stride of null is the kernel, a divisor of 0 the window's size. */
    public static Tensor avgPool3d(Tensor x, long[] kernel, long[] stride, long[] padding, boolean ceil,
            boolean countIncludePad, long divisor) {
        return mean(3, x, kernel, stride, padding, ceil, countIncludePad, divisor);
    }

    /** Means of windows of [n, c, d, h, w] such that the result has those sizes; 0 keeps a size. */
    public static Tensor adaptiveAvgPool3d(Tensor x, long depth, long height, long width) {
        return Calls.call(a -> AdaptivePools.averages(a[0], new long[]{depth, height, width}), x);
    }

    /** Largest of windows of [n, c, length] such that the result has that length. */
    public static Tensor adaptiveMaxPool1d(Tensor x, long length) {
        return Calls.call(a -> AdaptivePools.largest(a[0], new long[]{length}, null), x);
    }

    /** Largest of windows of [n, c, h, w] such that the result has those sizes; 0 keeps a size. */
    public static Tensor adaptiveMaxPool2d(Tensor x, long height, long width) {
        return Calls.call(a -> AdaptivePools.largest(a[0], new long[]{height, width}, null), x);
    }

    /** Largest of windows of [n, c, d, h, w] such that the result has those sizes; 0 keeps a size. */
    public static Tensor adaptiveMaxPool3d(Tensor x, long depth, long height, long width) {
        return Calls.call(a -> AdaptivePools.largest(a[0], new long[]{depth, height, width}, null), x);
    }

    /** As an adaptive max pool over the last dimensions, as many as sizes, and the positions within a plane. */
    public static Tensor[] adaptiveMaxPoolWithIndices(Tensor x, long... sizes) {
        return Calls.several(a -> {
            MaxPools.Positions at = new MaxPools.Positions();
            TensorImpl out = AdaptivePools.largest(a[0], sizes, at);
            return new TensorImpl[]{out, at.held};
        }, x);
    }

    private static Tensor unpool(int dims, Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        PoolShape p = PoolShape.of(dims, kernel, stride, padding, ONE, false);
        long[] sizes = new long[dims];
        for (int d = 0; d < dims; d++) {
            sizes[d] = (x.size(d - dims) - 1) * p.stride()[d] - 2 * p.padding()[d] + p.kernel()[d];
        }
        return maxUnpool(x, indices, sizes);
    }

    /** Puts a max pool's values back where they came from, into sizes of one's choice for the last dimensions. */
    public static Tensor maxUnpool(Tensor x, Tensor indices, long... sizes) {
        return Calls.call(a -> MaxUnpools.of(a[0], a[1], sizes), x, indices);
    }

    /** Puts the values of {@link #maxPool1dWithIndices} back. */
    public static Tensor maxUnpool1d(Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        return unpool(1, x, indices, kernel, stride, padding);
    }

    /** Puts the values of {@link #maxPool2dWithIndices} back. */
    public static Tensor maxUnpool2d(Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        return unpool(2, x, indices, kernel, stride, padding);
    }

    /** Puts the values of {@link #maxPool3dWithIndices} back. */
    public static Tensor maxUnpool3d(Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        return unpool(3, x, indices, kernel, stride, padding);
    }

    /** Windows of [n, c, h, w] as columns: [n, c kh kw, windows]. */
    public static Tensor unfold(Tensor x, long[] kernel, long[] dilation, long[] padding, long[] stride) {
        PoolShape p = PoolShape.of(2, kernel, Geometry.each(stride, 2, "stride"), padding, dilation, false);
        return Calls.call(a -> Unfolding.unfold(a[0], p), x);
    }

    /** Columns [n, c kh kw, windows] summed into [n, c, h, w]. */
    public static Tensor fold(Tensor x, long[] outputSize, long[] kernel, long[] dilation, long[] padding,
            long[] stride) {
        PoolShape p = PoolShape.of(2, kernel, Geometry.each(stride, 2, "stride"), padding, dilation, false);
        long[] size = Geometry.each(outputSize, 2, "output size");
        return Calls.call(a -> Unfolding.fold(a[0], size, p), x);
    }

    /** Resized to those sizes: modes {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, … */
    public static Tensor interpolate(Tensor x, long[] size, String mode, boolean alignCorners) {
        return Calls.call(a -> Interpolation.of(a[0], size, null, mode, alignCorners), x);
    }

    /** Resized by factors, one or one each. */
    public static Tensor interpolate(Tensor x, double[] scaleFactor, String mode, boolean alignCorners) {
        return Calls.call(a -> Interpolation.of(a[0], null, scaleFactor, mode, alignCorners), x);
    }

    /** Resized by one factor to the nearest neighbours. */
    public static Tensor interpolate(Tensor x, double scaleFactor) {
        return interpolate(x, scaleFactor, "nearest");
    }

    /** Resized by one factor. */
    public static Tensor interpolate(Tensor x, double scaleFactor, String mode) {
        return interpolate(x, new double[]{scaleFactor}, mode, false);
    }

    /** {@link #interpolate(Tensor, double)}: PyTorch's older name. */
    public static Tensor upsample(Tensor x, double scaleFactor) {
        return interpolate(x, scaleFactor);
    }

    /** {@link #interpolate(Tensor, double, String)} with whether corners are aligned: PyTorch's older name. */
    public static Tensor upsample(Tensor x, double scaleFactor, String mode, boolean alignCorners) {
        return interpolate(x, new double[]{scaleFactor}, mode, alignCorners);
    }

    /** To the nearest neighbours: PyTorch's older name. */
    public static Tensor upsampleNearest(Tensor x, double scaleFactor) {
        return interpolate(x, scaleFactor);
    }

    /** Between four neighbours, corners aligned: PyTorch's older name. */
    public static Tensor upsampleBilinear(Tensor x, double scaleFactor) {
        return interpolate(x, new double[]{scaleFactor}, "bilinear", true);
    }

    /**
     * Pixels of x [n, c, h, w] at the places of grid [n, rows, columns, 2] of (x, y) between -1 and 1; bilinear, zeros outside,
     * -1 and 1 the outer edges.
     */
    public static Tensor gridSample(Tensor x, Tensor grid) {
        return gridSample(x, grid, "bilinear", "zeros", false);
    }

    /**
     * The same; computed on the host, whatever the device.
     *
     * @param mode
     *            {@code bilinear}, {@code nearest} or {@code bicubic}
     * @param paddingMode
     *            what lies outside: {@code zeros}, {@code border} or {@code reflection}
     * @param alignCorners
     *            whether -1 and 1 are the middles of the corners' pixels
     */
    public static Tensor gridSample(Tensor x, Tensor grid, String mode, String paddingMode, boolean alignCorners) {
        return Calls.full(a -> GridSamples.of(a[0], a[1], mode, paddingMode, alignCorners), x, grid);
    }

    /** A grid for {@link #gridSample} from affine maps theta [n, 2, 3], for pictures of size [n, c, h, w]. */
    public static Tensor affineGrid(Tensor theta, long[] size, boolean alignCorners) {
        return Calls.call(a -> AffineGrids.of(a[0], size, alignCorners), theta);
    }

    /** The root of the sum of powers of each window of [n, c, length]; a stride of null is the kernel. */
    public static Tensor lpPool1d(Tensor x, double norm, long[] kernel, long[] stride, boolean ceil) {
        return norms(x, norm, kernel, p -> mean(1, p, kernel, stride, ZERO, ceil, true, 0), 1);
    }

    /** Of [n, c, h, w]. */
    public static Tensor lpPool2d(Tensor x, double norm, long[] kernel, long[] stride, boolean ceil) {
        return norms(x, norm, kernel, p -> mean(2, p, kernel, stride, ZERO, ceil, true, 0), 2);
    }

    /** Of [n, c, d, h, w]. */
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

    /** Largest of windows of that size at random places of [n, c, h, w], so many as the result has cells. */
    public static Tensor fractionalMaxPool2d(Tensor x, long[] kernel, long[] outputSize) {
        return fractional(2, x, kernel, outputSize)[0];
    }

    /** Largest of windows of that size at random places of [n, c, d, h, w]. */
    public static Tensor fractionalMaxPool3d(Tensor x, long[] kernel, long[] outputSize) {
        return fractional(3, x, kernel, outputSize)[0];
    }

    /** As a fractional max pool over 2 or 3 dimensions, and the positions within a plane. */
    public static Tensor[] fractionalMaxPoolWithIndices(Tensor x, long[] kernel, long... outputSize) {
        return fractional(outputSize.length, x, kernel, outputSize);
    }

    private static Tensor[] fractional(int dims, Tensor x, long[] kernel, long[] outputSize) {
        long[] size = Geometry.each(kernel, dims, "kernel size");
        long[] cells = Geometry.each(outputSize, dims, "output size");
        return Calls.several(a -> FractionalPools.of(a[0], size, cells), x);
    }
}
