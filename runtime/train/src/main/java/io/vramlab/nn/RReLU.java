package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * {@link LeakyReLU} whose slope is drawn for every element while training (Xu et al., 2015). Backward holds the input
 * and the slopes. Any shape, which stays.
 */
public class RReLU extends Module {

    private final double lower;
    private final double upper;

    /** With PyTorch's defaults. */
    public RReLU() {
        this(1.0 / 8, 1.0 / 3);
    }

    /**
     * With those settings.
     *
     * @param lower
     *            least slope
     * @param upper
     *            greatest slope
     */
    public RReLU(double lower, double upper) {
        this.lower = lower;
        this.upper = upper;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.rrelu(input, lower, upper, isTraining());
    }

    @Override
    protected String extraRepr() {
        return "lower=" + Numbers.text(lower) + ", upper=" + Numbers.text(upper);
    }
}
