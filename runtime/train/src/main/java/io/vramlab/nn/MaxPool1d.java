package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of each window of [n, c, length], or without the batch. Holds the input and int64 positions for backward. */
public class MaxPool1d extends Pooling {

    /**
     * Windows side by side.
     *
     * @param kernel
     *            size of a window
     */
    public MaxPool1d(long kernel) {
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
    public MaxPool1d(long kernel, long stride) {
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
    public MaxPool1d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /**
     * With a step, a padding, a dilation, and whether the last window may reach beyond the end.
     *
     * @param kernel
     *            size of a window
     * @param stride
     *            step; the size of a window by default
     * @param padding
     *            on each side, at most half of a window; 0 by default
     * @param dilation
     *            distance of a window's elements; 1 by default
     * @param ceilMode
     *            whether the last window may reach beyond the end; false by default
     */
    public MaxPool1d(long kernel, long stride, long padding, long dilation, boolean ceilMode) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).dilation(dilation).ceilMode(ceilMode));
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
    public MaxPool1d(long kernel, PoolOptions options) {
        super(1, new long[]{kernel}, options);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool1d(input, kernel[0], stride[0], padding[0], dilation[0], ceilMode);
    }

    /**
     * The largest and their positions, int64: PyTorch's {@code return_indices}.
     *
     * @param input
     *            [n, c, length], or without the batch
     * @return the outputs and, of their shape, positions in the row
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input's shape or the window does not fit
     */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.maxPool1dWithIndices(input, kernel, stride, padding, dilation, ceilMode);
    }

    @Override
    protected String extraRepr() {
        return super.extraRepr() + ", dilation=" + text(dilation) + ", ceil_mode=" + (ceilMode ? "True" : "False");
    }
}
