package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Pads the last three dimensions with a value. A negative number of elements cuts them off. Backward holds nothing.
 */
public class ConstantPad3d extends Module {

    private final long[] pads;
    private final double value;

    /**
     * The same on every side.
     *
     * @param pad
     *            elements on every side
     * @param value
     *            what stands there
     */
    public ConstantPad3d(long pad, double value) {
        this(new long[]{pad}, value);
    }

    /**
     * The same on every side, or 6 numbers: before and after the last dimension, then of the one before it, …
     *
     * @param pads
     *            1 or 6 numbers of elements
     * @param value
     *            what stands there
     * @throws IllegalArgumentException
     *             if there are neither 1 nor 6 numbers
     */
    public ConstantPad3d(long[] pads, double value) {
        this.pads = Sides.of(pads, 3);
        this.value = value;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.pad(input, value, pads);
    }

    @Override
    protected String extraRepr() {
        return "padding=" + Sides.text(pads) + ", value=" + Numbers.text(value);
    }
}
