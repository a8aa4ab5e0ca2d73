package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Exponentials along a dimension, divided by their sum. Backward holds the result. The shape stays. */
public class Softmax extends Module {

    private final int dim;

    /**
     * Along that dimension, which may be counted from the back.
     *
     * @param dim
     *            along which the outputs add up to 1
     */
    public Softmax(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softmax(input, dim);
    }

    @Override
    protected String extraRepr() {
        return "dim=" + dim;
    }
}
