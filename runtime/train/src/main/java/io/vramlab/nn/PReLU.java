package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x above 0, else x times a learned slope (He et al., 2015). Backward holds the input. Any shape, which stays. */
public class PReLU extends Module {

    private static final double FIRST = 0.25;

    /** [1], or one slope for each channel. */
    public Parameter weight;

    /** One slope for all. */
    public PReLU() {
        this(1);
    }

    /**
     * So many slopes, 1 or as many as channels, 0.25 each at first.
     *
     * @param numParameters
     *            1 by default
     */
    public PReLU(long numParameters) {
        this(numParameters, FIRST);
    }

    /**
     * With another first slope.
     *
     * @param numParameters
     *            1 or the number of channels, the second size of the inputs
     * @param init
     *            of all slopes; 0.25 by default
     */
    public PReLU(long numParameters, double init) {
        weight = new Parameter(Tensor.full(init, numParameters));
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.prelu(input, weight);
    }

    @Override
    protected String extraRepr() {
        return "num_parameters=" + weight.size(0);
    }
}
