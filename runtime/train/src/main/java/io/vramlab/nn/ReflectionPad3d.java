package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Pads depth, height and width with what lies on the other side of the edge, the edge itself not repeated. */
public final class ReflectionPad3d extends Module {

    private final long[] pads;

    /** The same on every side, or 6 numbers: before and after the last dimension, then of the one before it, … */
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
