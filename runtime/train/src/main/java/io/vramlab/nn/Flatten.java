package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** Dimensions 1 and later in one, a view where possible. */
public final class Flatten extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return input.flatten(1, -1);
    }
}
