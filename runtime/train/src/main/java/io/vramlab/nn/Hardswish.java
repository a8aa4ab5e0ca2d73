package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x min(max(x + 3, 0), 6) / 6 (Howard et al., 2019). Backward holds the input. Any shape, which stays. */
public class Hardswish extends Module {

    private final boolean inplace;

    /** Leaving its input as it is. */
    public Hardswish() {
        this(false);
    }

    /**
     * With that setting.
     *
     * @param inplace
     *            whether it writes over its input
     */
    public Hardswish(boolean inplace) {
        this.inplace = inplace;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.hardswish_(input) : Functional.hardswish(input);
    }

    @Override
    protected String extraRepr() {
        return inplace ? "inplace=True" : "";
    }
}
