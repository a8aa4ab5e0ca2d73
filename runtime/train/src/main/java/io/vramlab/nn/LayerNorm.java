package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Normalises over the last dimensions (Ba, Kiros and Hinton, 2016). Holds the input and two numbers per row for
 * backward. The shape stays: [… normalised shape].
 */
public class LayerNorm extends Module {

    private static final double EPS = 1e-5;

    /** Of the normalised shape, or null. */
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
        this(normalizedShape, eps, true, bias);
    }

    /**
     * Over the last dimension, with another number added to the variance: {@code nn.LayerNorm(768, eps=1e-6)}.
     *
     * @param width
     *            the last size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     */
    public LayerNorm(long width, Double eps) {
        this(new long[]{width}, eps, true, true);
    }

    /**
     * Over the last dimension, with weight and bias or without both: {@code nn.LayerNorm(768, 1e-6, False)}.
     *
     * @param width
     *            the last size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param elementwiseAffine
     *            whether there are weight and bias; true by default
     */
    public LayerNorm(long width, Double eps, boolean elementwiseAffine) {
        this(new long[]{width}, eps, elementwiseAffine, true);
    }

    /**
     * Over the last dimension, with a bias or without, as {@code nn.LayerNorm(768, bias=False)}; without a weight too, see the longer
     * forms.
     *
     * @param width
     *            the last size of the inputs
     * @param bias
     *            whether there is a bias; true by default
     */
    public LayerNorm(long width, boolean bias) {
        this(new long[]{width}, EPS, true, bias);
    }

    /**
     * With everything, in PyTorch's order.
     *
     * @param normalizedShape
     *            the last sizes of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param elementwiseAffine
     *            whether there is a weight; true by default
     * @param bias
     *            whether there is a bias too; true by default, of no meaning without a weight
     */
    public LayerNorm(long[] normalizedShape, double eps, boolean elementwiseAffine, boolean bias) {
        this.eps = eps;
        this.normalizedShape = normalizedShape.clone();
        this.weight = elementwiseAffine ? FirstValues.ones(normalizedShape) : null;
        this.bias = elementwiseAffine && bias ? FirstValues.zeros(normalizedShape) : null;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.layerNorm(input, normalizedShape, weight, bias, eps);
    }

    @Override
    protected String extraRepr() {
        return Numbers.tuple(normalizedShape) + ", eps=" + Numbers.text(eps) + ", elementwise_affine="
                + (weight == null ? "False" : "True");
    }
}
