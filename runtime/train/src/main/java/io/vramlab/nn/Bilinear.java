package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x1 and x2 through a weight of both: x1 [… in1] and x2 [… in2] give [… out]. Called with both. */
public final class Bilinear extends Module {

    /** [out, in1, in2]. */
    public final Parameter weight;
    /** [out], or null. */
    public final Parameter bias;

    /** With a bias. */
    public Bilinear(long in1, long in2, long out) {
        this(in1, in2, out, true);
    }

    /** With a bias or without. */
    public Bilinear(long in1, long in2, long out, boolean bias) {
        double bound = 1 / Math.sqrt(in1);
        weight = Init.uniform(bound, out, in1, in2);
        this.bias = bias ? Init.uniform(bound, out) : null;
    }

    /** The output of both. */
    public Tensor call(Tensor x1, Tensor x2) {
        return Functional.bilinear(x1, x2, weight, bias);
    }

    /** Not of one: see {@link #call(Tensor, Tensor)}. */
    @Override
    public Tensor forward(Tensor input) {
        throw new IllegalArgumentException("Bilinear was called with one tensor: it takes two, call(x1, x2).");
    }

    @Override
    protected String extraRepr() {
        return "in1_features=" + weight.size(1) + ", in2_features=" + weight.size(2) + ", out_features="
                + weight.size(0)
                + ", bias=" + (bias == null ? "False" : "True");
    }
}
