package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of each window of [n, c, length], or without the batch. Holds the input and int64 positions for backward. */
public final class MaxPool1d extends Pooling {

    /** Windows side by side. */
    public MaxPool1d(long kernel) {
        this(kernel, new PoolOptions());
    }

    /** With a step. */
    public MaxPool1d(long kernel, long stride) {
        this(kernel, new PoolOptions().stride(stride));
    }

    /** With a step and a padding. */
    public MaxPool1d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /** With a step, a padding, a dilation, and whether the last window may reach beyond the end. */
    public MaxPool1d(long kernel, long stride, long padding, long dilation, boolean ceilMode) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).dilation(dilation).ceilMode(ceilMode));
    }

    /** With options by name. */
    public MaxPool1d(long kernel, PoolOptions options) {
        super(1, new long[]{kernel}, options);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool1d(input, kernel[0], stride[0], padding[0], dilation[0], ceilMode);
    }

    /** As {@link #call}, and the positions, int64: PyTorch's return_indices. */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.maxPool1dWithIndices(input, kernel, stride, padding, dilation, ceilMode);
    }

    @Override
    protected String extraRepr() {
        return super.extraRepr() + ", dilation=" + text(dilation) + ", ceil_mode=" + (ceilMode ? "True" : "False");
    }
}
