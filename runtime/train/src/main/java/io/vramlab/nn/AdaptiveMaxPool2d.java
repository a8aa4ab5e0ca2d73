package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Largest of windows of [n, c, h, w], or without the batch, such that the result has given sizes. Backward holds the
 * input and int64 positions.
 */
public class AdaptiveMaxPool2d extends Module {

    private final long height;
    private final long width;

    /**
     * The same in each dimension.
     *
     * @param size
     *            of each dimension of the result; 0 keeps the input's
     */
    public AdaptiveMaxPool2d(long size) {
        this(size, size);
    }

    /**
     * Those sizes; 0 keeps the input's, as PyTorch's None does.
     *
     * @param height
     *            of the result
     * @param width
     *            of the result
     */
    public AdaptiveMaxPool2d(long height, long width) {
        this.height = height;
        this.width = width;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool2d(input, height, width);
    }

    /**
     * The largest and their positions, int64: PyTorch's {@code return_indices}.
     *
     * @param input
     *            [n, c, h, w], or without the batch
     * @return the outputs and, of their shape, positions in the plane, row by row
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input has other dimensions
     */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.adaptiveMaxPoolWithIndices(input, height, width);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + (height == width ? Long.toString(height) : Numbers.tuple(height, width));
    }
}
