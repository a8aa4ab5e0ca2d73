package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** 1 / (1 + exp(-x)), element by element. Backward holds the result. Any shape, which stays. */
public class Sigmoid extends Module {

    /** There is nothing to set. */
    public Sigmoid() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.sigmoid();
    }
}
