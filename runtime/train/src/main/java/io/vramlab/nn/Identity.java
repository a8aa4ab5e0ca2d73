package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** Passes its input on, the very same tensor: stands where a model may have something or nothing. */
public class Identity extends Module {

    /** There is nothing to set. */
    public Identity() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return input;
    }
}
