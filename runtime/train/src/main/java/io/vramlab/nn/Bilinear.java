package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * x1 and x2 through a weight of both: x1 [… in1] and x2 [… in2] give [… out]. Called with both. Parameters: weight
 * and bias, drawn uniformly from (-1/sqrt(in1), 1/sqrt(in1)). Composed: backward holds x1, x2 and out products of their
 * rows, [rows, in2] each.
 */
public class Bilinear extends Module {

    /** [out, in1, in2]. */
    public Parameter weight;
    /** [out], or null. */
    public Parameter bias;

    /**
     * With a bias.
     *
     * @param in1
     *            width of x1
     * @param in2
     *            width of x2
     * @param out
     *            width of the output
     */
    public Bilinear(long in1, long in2, long out) {
        this(in1, in2, out, true);
    }

    /**
     * With a bias or without.
     *
     * @param in1
     *            width of x1
     * @param in2
     *            width of x2
     * @param out
     *            width of the output
     * @param bias
     *            true by default
     */
    public Bilinear(long in1, long in2, long out, boolean bias) {
        double bound = 1 / Math.sqrt(in1);
        weight = FirstValues.uniform(bound, out, in1, in2);
        this.bias = bias ? FirstValues.uniform(bound, out) : null;
    }

    /**
     * {@return the output of both, [… out]}
     *
     * @param x1
     *            [… in1]
     * @param x2
     *            [… in2], otherwise of x1's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if the last sizes are not in1 and in2
     */
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
