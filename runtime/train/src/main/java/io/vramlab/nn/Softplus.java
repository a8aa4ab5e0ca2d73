package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** log(1 + exp(beta x)) / beta, a smooth {@link ReLU}. Backward holds the input. Any shape, which stays. */
public class Softplus extends Module {

    private final double beta;
    private final double threshold;

    /** With PyTorch's defaults. */
    public Softplus() {
        this(1, 20);
    }

    /**
     * With those settings.
     *
     * @param beta
     *            how sharply it bends
     * @param threshold
     *            above it, by beta x, it is x itself
     */
    public Softplus(double beta, double threshold) {
        this.beta = beta;
        this.threshold = threshold;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softplus(input, beta, threshold);
    }

    @Override
    protected String extraRepr() {
        return "beta=" + Numbers.text(beta) + ", threshold=" + Numbers.text(threshold);
    }
}
