package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x moved by lambda towards 0, and 0 within. Backward holds the input. Any shape, which stays. */
public class Softshrink extends Module {

    private final double lambda;

    /** With PyTorch's default. */
    public Softshrink() {
        this(0.5);
    }

    /**
     * With that setting.
     *
     * @param lambda
     *            the distance
     */
    public Softshrink(double lambda) {
        this.lambda = lambda;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softshrink(input, lambda);
    }

    @Override
    protected String extraRepr() {
        return Numbers.text(lambda);
    }
}
