package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** {@link ELU} scaled so that mean and variance stay (Klambauer et al., 2017). Backward holds the input. */
public final class SELU extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return Functional.selu(input);
    }
}
