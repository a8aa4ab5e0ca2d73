package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of windows of [n, c, d, h, w], or without the batch, such that the result has given sizes. */
public final class AdaptiveMaxPool3d extends Module {

    private final long depth;
    private final long height;
    private final long width;

    /** The same in each dimension. */
    public AdaptiveMaxPool3d(long size) {
        this(size, size, size);
    }

    /** Those sizes; 0 keeps the input's, as PyTorch's None does. */
    public AdaptiveMaxPool3d(long depth, long height, long width) {
        this.depth = depth;
        this.height = height;
        this.width = width;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool3d(input, depth, height, width);
    }

    /** As {@link #call}, and the positions, int64: PyTorch's return_indices. */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.adaptiveMaxPoolWithIndices(input, depth, height, width);
    }

    @Override
    protected String extraRepr() {
        return "output_size="
                + (depth == height && depth == width ? Long.toString(depth) : Numbers.tuple(depth, height, width));
    }
}
