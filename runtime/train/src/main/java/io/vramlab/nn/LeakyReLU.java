package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x above 0, else slope times x. Backward holds the input. Any shape, which stays. */
public class LeakyReLU extends Module {

    private final double negativeSlope;
    private final boolean inplace;

    /** With PyTorch's default. */
    public LeakyReLU() {
        this(0.01);
    }

    /**
     * With that setting.
     *
     * @param negativeSlope
     *            of what is below 0
     */
    public LeakyReLU(double negativeSlope) {
        this(negativeSlope, false);
    }

    /**
     * With that setting; in place, it writes over its input.
     *
     * @param negativeSlope
     *            of what is below 0; 0.01 by default
     * @param inplace
     *            false by default; then backward holds the result, and a negative slope is an error of the call
     */
    public LeakyReLU(double negativeSlope, boolean inplace) {
        this.negativeSlope = negativeSlope;
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.leakyRelu_(input, negativeSlope) : Functional.leakyRelu(input, negativeSlope);
    }

    @Override
    protected String extraRepr() {
        return "negative_slope=" + Numbers.text(negativeSlope) + (inplace ? ", inplace=True" : "");
    }
}
