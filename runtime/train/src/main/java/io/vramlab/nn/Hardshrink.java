package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x outside [-lambda, lambda], else 0. Backward holds the input. Any shape, which stays. */
public class Hardshrink extends Module {

    private final double lambda;

    /** With PyTorch's default. */
    public Hardshrink() {
        this(0.5);
    }

    /**
     * With that setting.
     *
     * @param lambda
     *            the bound
     */
    public Hardshrink(double lambda) {
        this.lambda = lambda;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.hardshrink(input, lambda);
    }

    @Override
    protected String extraRepr() {
        return Numbers.text(lambda);
    }
}
