package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Dropout that keeps mean and variance, for networks of SELU; in training only. Shapes stay. Made of PyTorch's steps:
 * backward holds one number per element, of the input's dtype.
 */
public class AlphaDropout extends Module {

    private final double p;

    /** With p = 0.5. */
    public AlphaDropout() {
        this(0.5);
    }

    /**
     * With that probability.
     *
     * @param p
     *            of an element to be set to SELU's lower limit; 0.5 by default
     * @throws IllegalArgumentException
     *             if p is not in [0, 1]
     */
    public AlphaDropout(double p) {
        this.p = Dropout.requireProbability(p);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.alphaDropout(input, p, isTraining());
    }

    @Override
    protected String extraRepr() {
        return "p=" + Numbers.text(p) + ", inplace=False";
    }
}
