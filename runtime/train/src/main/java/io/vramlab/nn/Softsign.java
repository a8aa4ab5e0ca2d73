package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x / (1 + |x|), composed: backward holds the input and the denominator. */
public final class Softsign extends Module {

    @Override
    public Tensor forward(Tensor input) {
        return Functional.softsign(input);
    }
}
