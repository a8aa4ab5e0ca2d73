package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Pads depth, height and width with what lies on the other side of the edge, the edge itself not repeated. A side
 * must be smaller than the dimension. Backward holds nothing.
 */
public class ReflectionPad3d extends Module {

    private final long[] pads;

    /**
     * The same on every side, or 6 numbers: before and after the last dimension, then of the one before it, …
     *
     * @param pads
     *            1 or 6 numbers of elements
     * @throws IllegalArgumentException
     *             if there are neither 1 nor 6 numbers
     */
    public ReflectionPad3d(long... pads) {
        this.pads = Sides.of(pads, 3);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.reflectionPad(input, pads);
    }

    @Override
    protected String extraRepr() {
        return Sides.text(pads);
    }
}
