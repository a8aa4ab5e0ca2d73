package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x tanh(softplus(x)) (Misra, 2019). Backward holds the input. */
public final class Mish extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return Functional.mish(input);
    }
}
