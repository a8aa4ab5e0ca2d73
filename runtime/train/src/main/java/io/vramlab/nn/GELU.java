package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/**
 * x * Phi(x), exact with erf (Hendrycks and Gimpel, 2016), element by element. Backward holds the input. Any shape,
 * which stays.
 */
public class GELU extends Module {

    /** The exact form, PyTorch's default. */
    public GELU() {
        // no state
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.gelu();
    }

    @Override
    protected String extraRepr() {
        return "approximate='none'";
    }
}
