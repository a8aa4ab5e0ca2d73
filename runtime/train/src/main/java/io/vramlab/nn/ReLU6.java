package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** min(max(x, 0), 6). Backward holds the input. Any shape, which stays. */
public class ReLU6 extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public ReLU6() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public ReLU6(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.hardtanh_(input, 0, 6) : Functional.relu6(input);
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
