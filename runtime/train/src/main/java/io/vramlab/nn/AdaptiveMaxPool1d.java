package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Largest of windows of [n, c, length], or without the batch, such that the result has given sizes. Backward holds
 * the input and int64 positions.
 */
public class AdaptiveMaxPool1d extends Module {

    private final long length;

    /**
     * That length.
     *
     * @param length
     *            of the result
     */
    public AdaptiveMaxPool1d(long length) {
        this.length = length;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool1d(input, length);
    }

    /**
     * The largest and their positions, int64: PyTorch's {@code return_indices}.
     *
     * @param input
     *            [n, c, length], or without the batch
     * @return the outputs and, of their shape, positions in the row
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input has other dimensions
     */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.adaptiveMaxPoolWithIndices(input, length);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + length;
    }
}
