package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** min(max(x + 3, 0), 6) / 6. Backward holds the input. Any shape, which stays. */
public class Hardsigmoid extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public Hardsigmoid() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public Hardsigmoid(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.hardsigmoid_(input) : Functional.hardsigmoid(input);
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
