package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * x * Phi(x), exact with erf or by tanh (Hendrycks and Gimpel, 2016), element by element. Backward holds the input. Any shape,
 * which stays.
 */
public class GELU extends Module {

    private final String approximate;

    /** The exact form, PyTorch's default. */
    public GELU() {
        this("none");
    }

    /**
     * The exact form or the approximation: {@code nn.GELU(approximate="tanh")}.
     *
     * @param approximate
     *            {@code "none"} or {@code "tanh"}; anything else is an error when it is called
     */
    public GELU(String approximate) {
        this.approximate = approximate;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.gelu(input, approximate);
    }

    @Override
    protected String extraRepr() {
        return "approximate='" + approximate + "'";
    }
}
