package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x above 0, else alpha (exp(x / alpha) - 1) (Barron, 2017). Backward holds the input. */
public final class CELU extends Module {

    private final double alpha;

    /** With PyTorch's default. */
    public CELU() {
        this(1);
    }

    /**
     * With that setting.
     *
     * @param alpha
     *            where it ends on the left, negated
     */
    public CELU(double alpha) {
        this.alpha = alpha;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.celu(input, alpha);
    }

    @Override
    protected String extraRepr() {
        return "alpha=" + Numbers.text(alpha);
    }
}
