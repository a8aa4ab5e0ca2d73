package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Means of windows of [n, c, length] or [c, length] such that the result has a given length. */
public class AdaptiveAvgPool1d extends Module {

    private final long length;

    /**
     * That length.
     *
     * @param length
     *            of the result
     */
    public AdaptiveAvgPool1d(long length) {
        this.length = length;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveAvgPool1d(input, length);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + length;
    }
}
