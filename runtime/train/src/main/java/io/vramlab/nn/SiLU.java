package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** x * sigmoid(x), element by element. Backward holds the input. */
public final class SiLU extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return input.silu();
    }
}
