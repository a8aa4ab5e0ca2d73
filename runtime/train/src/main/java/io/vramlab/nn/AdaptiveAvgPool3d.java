package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Means of windows of [n, c, d, h, w], or without the batch, such that the result has given sizes. */
public final class AdaptiveAvgPool3d extends Module {

    private final long depth;
    private final long height;
    private final long width;

    /** The same in each dimension. */
    public AdaptiveAvgPool3d(long size) {
        this(size, size, size);
    }

    /** Those sizes; 0 keeps the input's, as PyTorch's None does. */
    public AdaptiveAvgPool3d(long depth, long height, long width) {
        this.depth = depth;
        this.height = height;
        this.width = width;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveAvgPool3d(input, depth, height, width);
    }

    @Override
    protected String extraRepr() {
        return "output_size="
                + (depth == height && depth == width ? Long.toString(depth) : Numbers.tuple(depth, height, width));
    }
}
