package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of windows of [n, c, h, w], or without the batch, such that the result has given sizes. */
public final class AdaptiveMaxPool2d extends Module {

    private final long height;
    private final long width;

    /** The same in each dimension. */
    public AdaptiveMaxPool2d(long size) {
        this(size, size);
    }

    /** Those sizes; 0 keeps the input's, as PyTorch's None does. */
    public AdaptiveMaxPool2d(long height, long width) {
        this.height = height;
        this.width = width;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool2d(input, height, width);
    }

    /** As {@link #call}, and the positions, int64: PyTorch's return_indices. */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.adaptiveMaxPoolWithIndices(input, height, width);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + (height == width ? Long.toString(height) : Numbers.tuple(height, width));
    }
}
