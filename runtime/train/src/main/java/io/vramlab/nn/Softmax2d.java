package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** {@link Softmax} over the channels of [n, c, h, w] or [c, h, w]. Backward holds the result. */
public class Softmax2d extends Module {

    /** There is nothing to set. */
    public Softmax2d() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softmax(input, -3);
    }
}
