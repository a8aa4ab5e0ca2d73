package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** log(sigmoid(x)). Backward holds the input. Any shape, which stays. */
public class LogSigmoid extends Module {

    /** There is nothing to set. */
    public LogSigmoid() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.logsigmoid(input);
    }
}
