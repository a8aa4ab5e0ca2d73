package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x * sigmoid(x), element by element. Backward holds the input. Any shape, which stays. */
public class SiLU extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public SiLU() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public SiLU(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.silu_(input) : input.silu();
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
