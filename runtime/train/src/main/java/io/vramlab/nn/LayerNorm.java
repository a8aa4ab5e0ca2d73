package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Normalises over the last dimensions (Ba, Kiros and Hinton, 2016). Holds the input and two numbers per row for
 * backward. The shape stays: [… normalised shape].
 */
public class LayerNorm extends Module {

    private static final double EPS = 1e-5;

    /** Of the normalised shape. */
    public Parameter weight;
    /** Of the normalised shape, or null. */
    public Parameter bias;
    private final long[] normalizedShape;
    private final double eps;

    /**
     * Over last dimensions of those sizes, with eps 1e-5 and a bias.
     *
     * @param normalizedShape
     *            the last sizes of the inputs, for instance 768 for [batch, length, 768]
     */
    public LayerNorm(long... normalizedShape) {
        this(EPS, normalizedShape);
    }

    /**
     * With another number added to the variance.
     *
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param normalizedShape
     *            the last sizes of the inputs, for instance 768 for [batch, length, 768]
     */
    public LayerNorm(double eps, long... normalizedShape) {
        this(eps, true, normalizedShape);
    }

    /**
     * With another number added to the variance, and a bias or none.
     *
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param bias
     *            true by default
     * @param normalizedShape
     *            the last sizes of the inputs, for instance 768 for [batch, length, 768]
     */
    public LayerNorm(double eps, boolean bias, long... normalizedShape) {
        this.eps = eps;
        this.normalizedShape = normalizedShape.clone();
        this.weight = FirstValues.ones(normalizedShape);
        this.bias = bias ? FirstValues.zeros(normalizedShape) : null;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.layerNorm(input, normalizedShape, weight, bias, eps);
    }

    @Override
    protected String extraRepr() {
        return Numbers.tuple(normalizedShape) + ", eps=" + Numbers.text(eps) + ", elementwise_affine=True";
    }
}
