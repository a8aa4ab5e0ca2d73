package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Logarithm of {@link Softmax} along a dimension. Backward holds the result. The shape stays. */
public class LogSoftmax extends Module {

    private final int dim;

    /**
     * With that setting.
     *
     * @param dim
     *            the dimension
     */
    public LogSoftmax(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.logSoftmax(input, dim);
    }

    @Override
    protected String extraRepr() {
        return "dim=" + dim;
    }
}
