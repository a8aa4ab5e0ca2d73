package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x tanh(softplus(x)) (Misra, 2019). Backward holds the input. Any shape, which stays. */
public class Mish extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public Mish() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public Mish(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.mish_(input) : Functional.mish(input);
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
