package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** {@link AlphaDropout} of whole channels of [n, c, …]; in training only. */
public final class FeatureAlphaDropout extends Module {

    private final double p;

    /** With p = 0.5. */
    public FeatureAlphaDropout() {
        this(0.5);
    }

    /** With that probability. */
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
