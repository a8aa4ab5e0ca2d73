package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** max(x, 0), element by element. Backward holds the result. */
public final class ReLU extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return input.relu();
    }
}
