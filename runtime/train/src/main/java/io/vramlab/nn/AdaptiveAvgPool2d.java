package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Means of windows of [n, c, h, w] or [c, h, w] such that the result has a given height and width. Backward holds the
 * input; of 1 by 1 it is a mean, which holds nothing.
 */
public class AdaptiveAvgPool2d extends Module {

    private final long height;
    private final long width;

    /**
     * A square.
     *
     * @param size
     *            of each dimension of the result; 0 keeps the input's
     */
    public AdaptiveAvgPool2d(long size) {
        this(size, size);
    }

    /**
     * That height and width; 0 keeps the input's, as PyTorch's None does.
     *
     * @param height
     *            of the result
     * @param width
     *            of the result
     */
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
