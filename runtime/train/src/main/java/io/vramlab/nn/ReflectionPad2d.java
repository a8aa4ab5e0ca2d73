package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Pads height and width with what lies on the other side of the edge, the edge itself not repeated. */
public final class ReflectionPad2d extends Module {

    private final long[] pads;

    /** The same on every side, or 4 numbers: before and after the last dimension, then of the one before it, … */
    public ReflectionPad2d(long... pads) {
        this.pads = Sides.of(pads, 2);
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
