package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of each window of [n, c, d, h, w], or without the batch. Holds the input and int64 positions for backward. */
public class MaxPool3d extends Pooling {

    /**
     * Windows side by side.
     *
     * @param kernel
     *            size of a window in each dimension
     */
    public MaxPool3d(long kernel) {
        this(kernel, new PoolOptions());
    }

    /**
     * With a step.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param stride
     *            step; the size of a window by default
     */
    public MaxPool3d(long kernel, long stride) {
        this(kernel, new PoolOptions().stride(stride));
    }

    /**
     * With a step and a padding.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param stride
     *            step; the size of a window by default
     * @param padding
     *            on each side, at most half of a window; 0 by default
     */
    public MaxPool3d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /**
     * With a step, a padding, a dilation, and whether the last window may reach beyond the end.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param stride
     *            step; the size of a window by default
     * @param padding
     *            on each side, at most half of a window; 0 by default
     * @param dilation
     *            distance of a window's elements; 1 by default
     * @param ceilMode
     *            whether the last window may reach beyond the end; false by default
     */
    public MaxPool3d(long kernel, long stride, long padding, long dilation, boolean ceilMode) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).dilation(dilation).ceilMode(ceilMode));
    }

    /**
     * With options by name.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param options
     *            stride, padding and so on by name
     * @throws IllegalArgumentException
     *             if an option has neither 1 nor 3 numbers
     */
    public MaxPool3d(long kernel, PoolOptions options) {
        this(new long[]{kernel}, options);
    }

    /**
     * Windows of their own size in each dimension, side by side.
     *
     * @param kernel
     *            size of a window, one number for all dimensions or 3 of them
     * @throws IllegalArgumentException
     *             if an argument has neither 1 nor 3 numbers
     */
    public MaxPool3d(long[] kernel) {
        this(kernel, new PoolOptions());
    }

    /**
     * With a size, a step and a padding for each dimension.
     *
     * @param kernel
     *            size of a window, one number for all dimensions or 3 of them
     * @param stride
     *            steps, one number for all dimensions or 3 of them
     * @param padding
     *            on each side, at most half of a window, one number for all dimensions or 3 of them
     * @throws IllegalArgumentException
     *             if an argument has neither 1 nor 3 numbers
     */
    public MaxPool3d(long[] kernel, long[] stride, long[] padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /**
     * With a size for each dimension, and options by name.
     *
     * @param kernel
     *            size of a window, one number for all dimensions or 3 of them
     * @param options
     *            stride, padding and so on by name
     * @throws IllegalArgumentException
     *             if an option has neither 1 nor 3 numbers
     */
    public MaxPool3d(long[] kernel, PoolOptions options) {
        super(3, kernel, options);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool3d(input, kernel, stride, padding, dilation, ceilMode);
    }

    /**
     * The largest and their positions, int64: PyTorch's {@code return_indices}.
     *
     * @param input
     *            [n, c, d, h, w], or without the batch
     * @return the outputs and, of their shape, positions in the volume, plane by plane
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input's shape or the window does not fit
     */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.maxPool3dWithIndices(input, kernel, stride, padding, dilation, ceilMode);
    }

    @Override
    protected String extraRepr() {
        return super.extraRepr() + ", dilation=" + text(dilation) + ", ceil_mode=" + (ceilMode ? "True" : "False");
    }
}
