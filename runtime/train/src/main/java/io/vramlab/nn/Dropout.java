package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Zeroes each element with probability p while training and divides the others by 1 - p (Srivastava et al., 2014). Holds
 * one byte per element for backward. Passes its input on in inference. PyTorch's {@code Dropout}: the mask is bool. Any
 * shape, which stays.
 */
public class Dropout extends Module {

    private final double p;

    /** With PyTorch's default of 0.5. */
    public Dropout() {
        this(0.5);
    }

    /**
     * With that probability of zero.
     *
     * @param p
     *            in [0, 1]; 0.5 by default
     * @throws IllegalArgumentException
     *             if p is not in [0, 1]
     */
    public Dropout(double p) {
        this.p = requireProbability(p);
    }

    static double requireProbability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "dropout probability has to be between 0 and 1, but got " + p + ": give a fraction such as 0.1.");
        }
        return p;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.dropout(input, p, isTraining());
    }

    @Override
    protected String extraRepr() {
        return "p=" + Numbers.text(p);
    }
}
