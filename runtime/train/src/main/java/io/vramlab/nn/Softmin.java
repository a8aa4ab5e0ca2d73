package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** {@link Softmax} of -x. The shape stays; backward holds the result. */
public class Softmin extends Module {

    private final int dim;

    /**
     * With that setting.
     *
     * @param dim
     *            the dimension
     */
    public Softmin(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softmin(input, dim);
    }

    @Override
    protected String extraRepr() {
        return "dim=" + dim;
    }
}
