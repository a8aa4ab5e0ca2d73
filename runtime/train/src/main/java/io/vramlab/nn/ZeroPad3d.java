package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Pads depth, height and width with zeros. A negative number of elements cuts them off. Backward holds nothing. */
public class ZeroPad3d extends Module {

    private final long[] pads;

    /**
     * The same on every side, or 6 numbers: before and after the last dimension, then of the one before it, …
     *
     * @param pads
     *            1 or 6 numbers of elements
     * @throws IllegalArgumentException
     *             if there are neither 1 nor 6 numbers
     */
    public ZeroPad3d(long... pads) {
        this.pads = Sides.of(pads, 3);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.pad(input, 0, pads);
    }

    @Override
    protected String extraRepr() {
        return Sides.text(pads);
    }
}
