package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Mean of each window of [n, c, length], or without the batch; padding counts unless told otherwise. Backward holds
 * the input, as PyTorch's does.
 */
public class AvgPool1d extends Pooling {

    private final boolean countIncludePad;

    /**
     * Windows side by side.
     *
     * @param kernel
     *            size of a window
     */
    public AvgPool1d(long kernel) {
        this(kernel, new PoolOptions());
    }

    /**
     * With a step.
     *
     * @param kernel
     *            size of a window
     * @param stride
     *            step; the size of a window by default
     */
    public AvgPool1d(long kernel, long stride) {
        this(kernel, new PoolOptions().stride(stride));
    }

    /**
     * With a step and a padding.
     *
     * @param kernel
     *            size of a window
     * @param stride
     *            step; the size of a window by default
     * @param padding
     *            on each side, at most half of a window; 0 by default
     */
    public AvgPool1d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /**
     * With a step, a padding, whether the last window may reach beyond the end, and whether padding counts.
     *
     * @param kernel
     *            size of a window
     * @param stride
     *            step; the size of a window by default
     * @param padding
     *            on each side, at most half of a window; 0 by default
     * @param ceilMode
     *            whether the last window may reach beyond the end; false by default
     * @param countIncludePad
     *            whether padding counts as zeros; true by default
     */
    public AvgPool1d(long kernel, long stride, long padding, boolean ceilMode, boolean countIncludePad) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).ceilMode(ceilMode)
                .countIncludePad(countIncludePad));
    }

    /**
     * With options by name.
     *
     * @param kernel
     *            size of a window
     * @param options
     *            stride, padding and so on by name
     * @throws IllegalArgumentException
     *             if an option has more than one number
     */
    public AvgPool1d(long kernel, PoolOptions options) {
        super(1, new long[]{kernel}, options);
        countIncludePad = options.countIncludePad;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool1d(input, kernel[0], stride[0], padding[0], ceilMode, countIncludePad);
    }

    @Override
    protected String extraRepr() {
        return "kernel_size=" + Numbers.tuple(kernel) + ", stride=" + Numbers.tuple(stride) + ", padding="
                + Numbers.tuple(padding);
    }
}
