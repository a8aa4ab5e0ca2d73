package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * {@link ELU} scaled so that mean and variance stay (Klambauer et al., 2017). Backward holds the input. Any shape,
 * which stays.
 */
public class SELU extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public SELU() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public SELU(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.selu_(input) : Functional.selu(input);
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
