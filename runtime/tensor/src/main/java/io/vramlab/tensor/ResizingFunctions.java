package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.matrix.AffineGrids;
import io.vramlab.tensor.internal.ops.window.GridSamples;
import io.vramlab.tensor.internal.ops.window.Interpolation;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s pictures in other sizes and at other places. Backward of interpolation keeps nothing.
 */
abstract sealed class ResizingFunctions extends UnpoolFunctions permits FoldingFunctions {

    /**
     * Resized by one factor to the nearest neighbours. As {@code torch.nn.functional.interpolate}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down
     * @return a new tensor
     * @throws TensorException
     *             for a mode or dimensions that do not fit
     */
    public static Tensor interpolate(Tensor x, double scaleFactor) {
        return interpolate(x, scaleFactor, "nearest");
    }

    /**
     * Resized by one factor. As {@code torch.nn.functional.interpolate}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down
     * @param mode
     *            {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, {@code trilinear},
     *            {@code bicubic} or {@code area}
     * @return a new tensor
     * @throws TensorException
     *             for a mode or dimensions that do not fit
     */
    public static Tensor interpolate(Tensor x, double scaleFactor, String mode) {
        return interpolate(x, new double[]{scaleFactor}, mode, false);
    }

    /**
     * Resized to those sizes: modes {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, …. As
     * {@code torch.nn.functional.interpolate}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param size
     *            of the result, one or one each
     * @param mode
     *            {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, {@code trilinear},
     *            {@code bicubic} or {@code area}
     * @param alignCorners
     *            whether the middles of the outer pixels stay where they are, or the outer edges; false by default
     * @return a new tensor
     * @throws TensorException
     *             for another mode, or sizes or dimensions that do not fit it
     */
    public static Tensor interpolate(Tensor x, long[] size, String mode, boolean alignCorners) {
        return Calls.call(a -> Interpolation.underAutocast(a[0], size, null, mode, alignCorners), x);
    }

    /**
     * Resized by factors, one or one each. As {@code torch.nn.functional.interpolate}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down: one or one each
     * @param mode
     *            {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, {@code trilinear},
     *            {@code bicubic} or {@code area}
     * @param alignCorners
     *            whether the middles of the outer pixels stay where they are, or the outer edges; false by default
     * @return a new tensor
     * @throws TensorException
     *             for another mode, or factors or dimensions that do not fit it
     */
    public static Tensor interpolate(Tensor x, double[] scaleFactor, String mode, boolean alignCorners) {
        return Calls.call(a -> Interpolation.underAutocast(a[0], null, scaleFactor, mode, alignCorners), x);
    }

    /**
     * {@link #interpolate(Tensor, double)}: PyTorch's older name. As {@code torch.nn.functional.upsample}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down
     * @return a new tensor
     * @throws TensorException
     *             for a mode or dimensions that do not fit
     */
    public static Tensor upsample(Tensor x, double scaleFactor) {
        return interpolate(x, scaleFactor);
    }

    /**
     * {@link #interpolate(Tensor, double, String)} with whether corners are aligned: PyTorch's older name. As
     * {@code torch.nn.functional.upsample}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down
     * @param mode
     *            {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, {@code trilinear},
     *            {@code bicubic} or {@code area}
     * @param alignCorners
     *            whether the middles of the outer pixels stay where they are, or the outer edges; false by default
     * @return a new tensor
     * @throws TensorException
     *             for a mode or dimensions that do not fit
     */
    public static Tensor upsample(Tensor x, double scaleFactor, String mode, boolean alignCorners) {
        return interpolate(x, new double[]{scaleFactor}, mode, alignCorners);
    }

    /**
     * To the nearest neighbours: PyTorch's older name. As {@code torch.nn.functional.upsample_nearest}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down
     * @return a new tensor
     * @throws TensorException
     *             for dimensions that do not fit
     */
    public static Tensor upsampleNearest(Tensor x, double scaleFactor) {
        return interpolate(x, scaleFactor);
    }

    /**
     * Between four neighbours, corners aligned: PyTorch's older name. As {@code torch.nn.functional.upsample_bilinear}.
     *
     * @param x
     *            [n, c, …] with 1 to 3 sizes
     * @param scaleFactor
     *            by what sizes are multiplied, rounded down
     * @return a new tensor
     * @throws TensorException
     *             for dimensions that do not fit
     */
    public static Tensor upsampleBilinear(Tensor x, double scaleFactor) {
        return interpolate(x, new double[]{scaleFactor}, "bilinear", true);
    }

    /**
     * Pixels of x [n, c, h, w] at the places of grid [n, rows, columns, 2] of (x, y) between -1 and 1; bilinear, zeros
     * outside, -1 and 1 the outer edges. As {@code torch.nn.functional.grid_sample}.
     *
     * @param x
     *            [n, c, h, w]
     * @param grid
     *            [n, rows, columns, 2] of (x, y)
     * @return a new tensor [n, c, rows, columns]; backward keeps both; under autocast in float32
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor gridSample(Tensor x, Tensor grid) {
        return gridSample(x, grid, "bilinear", "zeros", false);
    }

    /**
     * The same; computed on the host, whatever the device. As {@code torch.nn.functional.grid_sample}.
     *
     * @param x
     *            [n, c, h, w]
     * @param grid
     *            [n, rows, columns, 2] of (x, y) between -1 and 1
     * @param mode
     *            {@code bilinear}, {@code nearest} or {@code bicubic}
     * @param paddingMode
     *            what lies outside: {@code zeros}, {@code border} or {@code reflection}
     * @param alignCorners
     *            whether -1 and 1 are the middles of the corners' pixels
     * @return a new tensor [n, c, rows, columns]; backward keeps both; under autocast in float32
     * @throws TensorException
     *             for other dimensions or words
     */
    public static Tensor gridSample(Tensor x, Tensor grid, String mode, String paddingMode, boolean alignCorners) {
        return Calls.full(a -> GridSamples.of(a[0], a[1], mode, paddingMode, alignCorners), x, grid);
    }

    /**
     * {@code affineGrid} with PyTorch's defaults: corners are the pixels' outer ones. As
     * {@code torch.nn.functional.affine_grid}.
     *
     * @param theta
     *            [n, 2, 3]
     * @param size
     *            [n, c, h, w] of the pictures
     * @return a new tensor [n, h, w, 2]; the pixels' own places are taken for the while, and again in backward
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor affineGrid(Tensor theta, long... size) {
        return Functional.affineGrid(theta, size, false);
    }

    /**
     * A grid for {@link #gridSample} from affine maps theta [n, 2, 3], for pictures of size [n, c, h, w]. As
     * {@code torch.nn.functional.affine_grid}.
     *
     * @param theta
     *            [n, 2, 3]
     * @param size
     *            [n, c, h, w] of the pictures
     * @param alignCorners
     *            whether the middles of the outer pixels stay where they are, or the outer edges; false by default
     * @return a new tensor [n, h, w, 2]; the pixels' own places are taken for the while, and again in backward
     * @throws TensorException
     *             for other dimensions
     */
    public static Tensor affineGrid(Tensor theta, long[] size, boolean alignCorners) {
        return Calls.call(a -> AffineGrids.of(a[0], size, alignCorners), theta);
    }
}
