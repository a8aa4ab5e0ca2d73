package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** A {@link Linear} whose number of inputs is that of the first input. */
public final class LazyLinear extends Lazy {

    private final long out;
    private final boolean bias;

    /**
     * With a bias.
     *
     * @param out
     *            width of the outputs
     */
    public LazyLinear(long out) {
        this(out, true);
    }

    /**
     * With or without a bias.
     *
     * @param out
     *            width of the outputs
     * @param bias
     *            true by default
     */
    public LazyLinear(long out, boolean bias) {
        this.out = out;
        this.bias = bias;
    }

    @Override
    Module made(Tensor input) {
        return new Linear(input.size(-1), out, bias);
    }

    @Override
    String unknown() {
        return "in_features=0, out_features=" + out + ", bias=" + (bias ? "True" : "False");
    }
}
