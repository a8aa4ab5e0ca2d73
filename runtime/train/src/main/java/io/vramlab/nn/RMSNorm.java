package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Divides by the root of the mean square over the last dimensions (Zhang and Sennrich, 2019). Holds the input and one
 * number per row for backward. The shape stays: [… normalised shape].
 */
public class RMSNorm extends Module {

    /** Of the normalised shape, or null. */
    public Parameter weight;
    private final long[] normalizedShape;
    private final Double eps;

    /**
     * Over last dimensions of those sizes, with the dtype's machine epsilon added to the mean square.
     *
     * @param normalizedShape
     *            the last sizes of the inputs, for instance 768 for [batch, length, 768]
     */
    public RMSNorm(long... normalizedShape) {
        this(normalizedShape, null, true);
    }

    /**
     * With another number added to the mean square.
     *
     * @param eps
     *            added to the mean square
     * @param normalizedShape
     *            the last sizes of the inputs, for instance 768 for [batch, length, 768]
     */
    public RMSNorm(double eps, long... normalizedShape) {
        this(normalizedShape, eps, true);
    }

    /**
     * Over the last dimension, with another number added to the mean square: {@code nn.RMSNorm(768, 1e-6)}.
     *
     * @param width
     *            the last size of the inputs
     * @param eps
     *            added to the mean square; null for the dtype's machine epsilon
     */
    public RMSNorm(long width, Double eps) {
        this(new long[]{width}, eps, true);
    }

    /**
     * Over the last dimension, with a weight or without: {@code nn.RMSNorm(768, 1e-6, False)}.
     *
     * @param width
     *            the last size of the inputs
     * @param eps
     *            added to the mean square; null for the dtype's machine epsilon
     * @param elementwiseAffine
     *            whether there is a weight; true by default
     */
    public RMSNorm(long width, Double eps, boolean elementwiseAffine) {
        this(new long[]{width}, eps, elementwiseAffine);
    }

    /**
     * With everything.
     *
     * @param normalizedShape
     *            the last sizes of the inputs, for instance 768 for [batch, length, 768]
     * @param eps
     *            added to the mean square; null for the dtype's machine epsilon
     * @param elementwiseAffine
     *            whether there is a weight
     */
    public RMSNorm(long[] normalizedShape, Double eps, boolean elementwiseAffine) {
        this.normalizedShape = normalizedShape.clone();
        this.eps = eps;
        this.weight = elementwiseAffine ? FirstValues.ones(normalizedShape) : null;
    }

    @Override
    public Tensor forward(Tensor input) {
        double shift = eps != null ? eps : input.dtype().bytes() > Float.BYTES ? Math.ulp(1.0) : Math.ulp(1.0f);
        return Functional.rmsNorm(input, normalizedShape, weight, shift);
    }

    @Override
    protected String extraRepr() {
        return Numbers.tuple(normalizedShape) + ", eps=" + (eps == null ? "None" : Numbers.text(eps))
                + ", elementwise_affine=" + (weight == null ? "False" : "True");
    }
}
