package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** min(max(x, 0), 6). Backward holds the input. */
public final class ReLU6 extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return Functional.relu6(input);
    }
}
