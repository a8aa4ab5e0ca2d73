package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x min(max(x + 3, 0), 6) / 6 (Howard et al., 2019). Backward holds the input. */
public final class Hardswish extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return Functional.hardswish(input);
    }
}
