package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Means of windows of [n, c, d, h, w], or without the batch, such that the result has given sizes. Backward holds the
 * input; of a single cell it is a mean, which holds nothing.
 */
public class AdaptiveAvgPool3d extends Module {

    private final long depth;
    private final long height;
    private final long width;

    /**
     * The same in each dimension.
     *
     * @param size
     *            of each dimension of the result; 0 keeps the input's
     */
    public AdaptiveAvgPool3d(long size) {
        this(size, size, size);
    }

    /**
     * Those sizes; 0 keeps the input's, as PyTorch's None does.
     *
     * @param depth
     *            of the result
     * @param height
     *            of the result
     * @param width
     *            of the result
     */
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
