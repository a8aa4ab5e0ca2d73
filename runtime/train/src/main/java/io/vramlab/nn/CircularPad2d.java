package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Pads height and width with what lies at the other end. A side may be as large as the dimension. Backward holds
 * nothing.
 */
public class CircularPad2d extends Module {

    private final long[] pads;

    /**
     * The same on every side, or 4 numbers: before and after the last dimension, then of the one before it, …
     *
     * @param pads
     *            1 or 4 numbers of elements
     * @throws IllegalArgumentException
     *             if there are neither 1 nor 4 numbers
     */
    public CircularPad2d(long... pads) {
        this.pads = Sides.of(pads, 2);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.circularPad(input, pads);
    }

    @Override
    protected String extraRepr() {
        return Sides.text(pads);
    }
}
