package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.window.MaxUnpools;
import io.vramlab.tensor.internal.ops.window.PoolShape;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s way back from a max pool: values to the positions they came from, zeros elsewhere.
 */
abstract sealed class UnpoolFunctions extends AdaptivePoolFunctions permits ResizingFunctions {

    private static Tensor unpool(int dims, Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        PoolShape p = PoolShape.of(dims, kernel, stride, padding, ONE, false);
        long[] sizes = new long[dims];
        for (int d = 0; d < dims; d++) {
            sizes[d] = (x.size(d - dims) - 1) * p.stride()[d] - 2 * p.padding()[d] + p.kernel()[d];
        }
        return maxUnpool(x, indices, sizes);
    }

    /**
     * Puts a max pool's values back where they came from, into sizes of one's choice for the last dimensions. As
     * {@code torch.nn.functional.max_unpool2d}.
     *
     * @param x
     *            [n, c, …]
     * @param indices
     *            int64, as the pool gave them
     * @param sizes
     *            of the result, as many as were pooled
     * @return a new tensor of zeros and x's values; backward keeps the positions
     * @throws TensorException
     *             if the positions do not fit
     */
    public static Tensor maxUnpool(Tensor x, Tensor indices, long... sizes) {
        return Calls.call(a -> MaxUnpools.of(a[0], a[1], sizes), x, indices);
    }

    /**
     * {@code maxUnpool1d} with PyTorch's defaults: windows side by side. As {@code torch.nn.functional.max_unpool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param indices
     *            int64, as the pool gave them
     * @param kernel
     *            size of the window
     * @return a new tensor, as large as the pool's least argument; backward keeps the positions
     * @throws TensorException
     *             if the positions do not fit
     */
    public static Tensor maxUnpool1d(Tensor x, Tensor indices, long kernel) {
        return Functional.maxUnpool1d(x, indices, new long[]{kernel}, new long[]{kernel}, new long[]{0});
    }

    /**
     * Puts the values of {@link #maxPool1dWithIndices} back. As {@code torch.nn.functional.max_unpool1d}.
     *
     * @param x
     *            [n, c, length]
     * @param indices
     *            int64, as the pool gave them
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window the values came from; null, or the short form, for the kernel
     * @param padding
     *            of the pool the values came from
     * @return a new tensor, as large as the pool's least argument; backward keeps the positions
     * @throws TensorException
     *             if the positions do not fit
     */
    public static Tensor maxUnpool1d(Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        return unpool(1, x, indices, kernel, stride, padding);
    }

    /**
     * {@code maxUnpool2d} with PyTorch's defaults: square windows side by side. As
     * {@code torch.nn.functional.max_unpool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param indices
     *            int64, as the pool gave them
     * @param kernel
     *            size of the window
     * @return a new tensor, as large as the pool's least argument; backward keeps the positions
     * @throws TensorException
     *             if the positions do not fit
     */
    public static Tensor maxUnpool2d(Tensor x, Tensor indices, long kernel) {
        return Functional.maxUnpool2d(x, indices, new long[]{kernel, kernel}, new long[]{kernel, kernel},
                new long[]{0, 0});
    }

    /**
     * Puts the values of {@link #maxPool2dWithIndices} back. As {@code torch.nn.functional.max_unpool2d}.
     *
     * @param x
     *            [n, c, h, w]
     * @param indices
     *            int64, as the pool gave them
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window the values came from; null, or the short form, for the kernel
     * @param padding
     *            of the pool the values came from
     * @return a new tensor, as large as the pool's least argument; backward keeps the positions
     * @throws TensorException
     *             if the positions do not fit
     */
    public static Tensor maxUnpool2d(Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        return unpool(2, x, indices, kernel, stride, padding);
    }

    /**
     * Puts the values of {@link #maxPool3dWithIndices} back. As {@code torch.nn.functional.max_unpool3d}.
     *
     * @param x
     *            [n, c, d, h, w]
     * @param indices
     *            int64, as the pool gave them
     * @param kernel
     *            size of the window
     * @param stride
     *            step of the window the values came from; null, or the short form, for the kernel
     * @param padding
     *            of the pool the values came from
     * @return a new tensor, as large as the pool's least argument; backward keeps the positions
     * @throws TensorException
     *             if the positions do not fit
     */
    public static Tensor maxUnpool3d(Tensor x, Tensor indices, long[] kernel, long[] stride, long[] padding) {
        return unpool(3, x, indices, kernel, stride, padding);
    }
}
