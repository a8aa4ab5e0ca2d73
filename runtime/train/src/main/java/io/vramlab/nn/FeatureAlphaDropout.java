package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * {@link AlphaDropout} of whole channels of [n, c, …]; in training only. Backward holds one number for each channel
 * of each sample.
 */
public class FeatureAlphaDropout extends Module {

    private final double p;

    /** With p = 0.5. */
    public FeatureAlphaDropout() {
        this(0.5);
    }

    /**
     * With that probability.
     *
     * @param p
     *            of a channel to be set to SELU's lower limit; 0.5 by default
     * @throws IllegalArgumentException
     *             if p is not in [0, 1]
     */
    public FeatureAlphaDropout(double p) {
        this.p = Dropout.requireProbability(p);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.featureAlphaDropout(input, p, isTraining());
    }

    @Override
    protected String extraRepr() {
        return "p=" + Numbers.text(p) + ", inplace=False";
    }
}
