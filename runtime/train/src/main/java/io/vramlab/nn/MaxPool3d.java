package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of each window of [n, c, d, h, w], or without the batch. Holds the input and int64 positions for backward. */
public final class MaxPool3d extends Pooling {

    /** Windows side by side. */
    public MaxPool3d(long kernel) {
        this(kernel, new PoolOptions());
    }

    /** With a step. */
    public MaxPool3d(long kernel, long stride) {
        this(kernel, new PoolOptions().stride(stride));
    }

    /** With a step and a padding. */
    public MaxPool3d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /** With a step, a padding, a dilation, and whether the last window may reach beyond the end. */
    public MaxPool3d(long kernel, long stride, long padding, long dilation, boolean ceilMode) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).dilation(dilation).ceilMode(ceilMode));
    }

    /** With options by name. */
    public MaxPool3d(long kernel, PoolOptions options) {
        this(new long[]{kernel}, options);
    }

    /** Windows of their own size in each dimension, side by side. */
    public MaxPool3d(long[] kernel) {
        this(kernel, new PoolOptions());
    }

    /** With a size, a step and a padding for each dimension. */
    public MaxPool3d(long[] kernel, long[] stride, long[] padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /** With a size for each dimension, and options by name. */
    public MaxPool3d(long[] kernel, PoolOptions options) {
        super(3, kernel, options);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool3d(input, kernel, stride, padding, dilation, ceilMode);
    }

    /** As {@link #call}, and the positions, int64: PyTorch's return_indices. */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.maxPool3dWithIndices(input, kernel, stride, padding, dilation, ceilMode);
    }

    @Override
    protected String extraRepr() {
        return super.extraRepr() + ", dilation=" + text(dilation) + ", ceil_mode=" + (ceilMode ? "True" : "False");
    }
}
