package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x - tanh(x): backward holds the tanh. Any shape, which stays. */
public class Tanhshrink extends Module {

    /** There is nothing to set. */
    public Tanhshrink() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.tanhshrink(input);
    }
}
