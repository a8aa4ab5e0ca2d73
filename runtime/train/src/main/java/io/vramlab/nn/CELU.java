package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x above 0, else alpha (exp(x / alpha) - 1) (Barron, 2017). Backward holds the input. Any shape, which stays. */
public class CELU extends Module {

    private final double alpha;
    private final boolean inplace;

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
        this(alpha, false);
    }

    /**
     * With that setting; in place, it writes over its input.
     *
     * @param alpha
     *            where it ends on the left, negated; 1 by default
     * @param inplace
     *            false by default; then backward holds the result
     */
    public CELU(double alpha, boolean inplace) {
        this.alpha = alpha;
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.celu_(input, alpha) : Functional.celu(input, alpha);
    }

    @Override
    protected String extraRepr() {
        return "alpha=" + Numbers.text(alpha) + (inplace ? ", inplace=True" : "");
    }
}
