package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of windows of [n, c, length], or without the batch, such that the result has given sizes. */
public final class AdaptiveMaxPool1d extends Module {

    private final long length;

    /** That length. */
    public AdaptiveMaxPool1d(long length) {
        this.length = length;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool1d(input, length);
    }

    /** As {@link #call}, and the positions, int64: PyTorch's return_indices. */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.adaptiveMaxPoolWithIndices(input, length);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + length;
    }
}
