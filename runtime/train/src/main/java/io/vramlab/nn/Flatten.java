package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/**
 * Some dimensions as one: [n, a, b, …] as [n, a b …] by default. A view where memory allows. Backward holds nothing.
 */
public class Flatten extends Module {

    private final int start;
    private final int end;

    /** All dimensions but the first. */
    public Flatten() {
        this(1, -1);
    }

    /**
     * From start to end, both included; negative ones count from the back.
     *
     * @param start
     *            first of the dimensions, 1 by default
     * @param end
     *            last of them, -1 by default
     */
    public Flatten(int start, int end) {
        this.start = start;
        this.end = end;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.flatten(start, end);
    }

    @Override
    protected String extraRepr() {
        return "start_dim=" + start + ", end_dim=" + end;
    }
}
