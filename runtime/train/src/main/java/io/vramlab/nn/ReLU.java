package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** max(x, 0), element by element. Backward holds the result. Any shape, which stays. */
public class ReLU extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public ReLU() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public ReLU(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? input.relu_() : input.relu();
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
