package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Mean of each window of [n, c, h, w], or without the batch; padding counts unless told otherwise. Backward holds the
 * input, as PyTorch's does.
 */
public class AvgPool2d extends Pooling {

    private final boolean countIncludePad;
    private final long divisorOverride;

    /**
     * Windows side by side.
     *
     * @param kernel
     *            size of a window in each dimension
     */
    public AvgPool2d(long kernel) {
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
    public AvgPool2d(long kernel, long stride) {
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
    public AvgPool2d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /**
     * With a step, a padding, whether the last window may reach beyond the end, and whether padding counts.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param stride
     *            step; the size of a window by default
     * @param padding
     *            on each side, at most half of a window; 0 by default
     * @param ceilMode
     *            whether the last window may reach beyond the end; false by default
     * @param countIncludePad
     *            whether padding counts as zeros; true by default
     */
    public AvgPool2d(long kernel, long stride, long padding, boolean ceilMode, boolean countIncludePad) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).ceilMode(ceilMode)
                .countIncludePad(countIncludePad));
    }

    /**
     * With options by name.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param options
     *            stride, padding and so on by name
     * @throws IllegalArgumentException
     *             if an option has neither 1 nor 2 numbers
     */
    public AvgPool2d(long kernel, PoolOptions options) {
        this(new long[]{kernel}, options);
    }

    /**
     * Windows of their own size in each dimension, side by side.
     *
     * @param kernel
     *            size of a window, one number for all dimensions or 2 of them
     * @throws IllegalArgumentException
     *             if an argument has neither 1 nor 2 numbers
     */
    public AvgPool2d(long[] kernel) {
        this(kernel, new PoolOptions());
    }

    /**
     * With a size, a step and a padding for each dimension.
     *
     * @param kernel
     *            size of a window, one number for all dimensions or 2 of them
     * @param stride
     *            steps, one number for all dimensions or 2 of them
     * @param padding
     *            on each side, at most half of a window, one number for all dimensions or 2 of them
     * @throws IllegalArgumentException
     *             if an argument has neither 1 nor 2 numbers
     */
    public AvgPool2d(long[] kernel, long[] stride, long[] padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /**
     * With a size for each dimension, and options by name.
     *
     * @param kernel
     *            size of a window, one number for all dimensions or 2 of them
     * @param options
     *            stride, padding and so on by name
     * @throws IllegalArgumentException
     *             if an option has neither 1 nor 2 numbers
     */
    public AvgPool2d(long[] kernel, PoolOptions options) {
        super(2, kernel, options);
        countIncludePad = options.countIncludePad;
        divisorOverride = options.divisorOverride;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool2d(input, kernel, stride, padding, ceilMode, countIncludePad, divisorOverride);
    }
}
