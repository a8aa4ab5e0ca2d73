package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Means of windows of [n, c, h, w] or [c, h, w] such that the result has a given height and width. */
public final class AdaptiveAvgPool2d extends Module {

    private final long height;
    private final long width;

    /** A square. */
    public AdaptiveAvgPool2d(long size) {
        this(size, size);
    }

    /** That height and width; 0 keeps the input's, as PyTorch's None does. */
    public AdaptiveAvgPool2d(long height, long width) {
        this.height = height;
        this.width = width;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveAvgPool2d(input, height, width);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + (height == width ? Long.toString(height) : Numbers.tuple(height, width));
    }
}
