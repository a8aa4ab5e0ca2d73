package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Largest of windows of [n, c, d, h, w], or without the batch, such that the result has given sizes. Backward holds
 * the input and int64 positions.
 */
public class AdaptiveMaxPool3d extends Module {

    private final long depth;
    private final long height;
    private final long width;

    /**
     * The same in each dimension.
     *
     * @param size
     *            of each dimension of the result; 0 keeps the input's
     */
    public AdaptiveMaxPool3d(long size) {
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
    public AdaptiveMaxPool3d(long depth, long height, long width) {
        this.depth = depth;
        this.height = height;
        this.width = width;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool3d(input, depth, height, width);
    }

    /**
     * The largest and their positions, int64: PyTorch's {@code return_indices}.
     *
     * @param input
     *            [n, c, d, h, w], or without the batch
     * @return the outputs and, of their shape, positions in the volume, plane by plane
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input has other dimensions
     */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.adaptiveMaxPoolWithIndices(input, depth, height, width);
    }

    @Override
    protected String extraRepr() {
        return "output_size="
                + (depth == height && depth == width ? Long.toString(depth) : Numbers.tuple(depth, height, width));
    }
}
