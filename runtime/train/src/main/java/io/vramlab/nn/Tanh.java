package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** Hyperbolic tangent, element by element. Backward holds the result. Any shape, which stays. */
public class Tanh extends Module {

    /** There is nothing to set. */
    public Tanh() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.tanh();
    }
}
