package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x above the threshold, else the value. Backward holds the input. Any shape, which stays. */
public class Threshold extends Module {

    private final double threshold;
    private final double value;

    /**
     * With those settings.
     *
     * @param threshold
     *            from where on x stays
     * @param value
     *            what stands below
     */
    public Threshold(double threshold, double value) {
        this.threshold = threshold;
        this.value = value;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.threshold(input, threshold, value);
    }

    @Override
    protected String extraRepr() {
        return "threshold=" + Numbers.text(threshold) + ", value=" + Numbers.text(value);
    }
}
