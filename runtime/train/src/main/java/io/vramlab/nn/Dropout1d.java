package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Zeroes whole channels of [n, c, length] with probability p while training and divides the others by 1 - p (Tompson et al., 2014).
 * Backward holds one number for each channel of each sample. Passes its input on in inference.
 */
public class Dropout1d extends Module {

    private final double p;

    /** With PyTorch's default of 0.5. */
    public Dropout1d() {
        this(0.5);
    }

    /**
     * With that probability of zero.
     *
     * @param p
     *            in [0, 1], of a channel; 0.5 by default
     * @throws IllegalArgumentException
     *             if p is not in [0, 1]
     */
    public Dropout1d(double p) {
        this.p = Dropout.requireProbability(p);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.featureDropout(input, p, isTraining());
    }

    @Override
    protected String extraRepr() {
        return "p=" + Numbers.text(p);
    }
}
