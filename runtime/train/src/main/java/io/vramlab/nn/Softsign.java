package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x / (1 + |x|), composed: backward holds the input and the denominator. Any shape, which stays. */
public class Softsign extends Module {

    /** There is nothing to set. */
    public Softsign() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softsign(input);
    }
}
