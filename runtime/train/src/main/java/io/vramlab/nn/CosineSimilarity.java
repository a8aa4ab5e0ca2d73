package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Cosine of the angle between rows of two tensors along a dimension. Called with both. Composed as in PyTorch:
 * backward holds both, their norms, and both divided by them.
 */
public class CosineSimilarity {

    private final int dim;
    private final double eps;

    /** Along dimension 1. */
    public CosineSimilarity() {
        this(1, 1e-8);
    }

    /**
     * Along a dimension; norms are at least eps.
     *
     * @param dim
     *            1 by default
     * @param eps
     *            1e-8 by default
     */
    public CosineSimilarity(int dim, double eps) {
        this.dim = dim;
        this.eps = eps;
    }

    /**
     * {@return the cosines, of the inputs' shape without that dimension}
     *
     * @param x1
     *            any floating type
     * @param x2
     *            of a shape that fits x1's by broadcasting
     */
    public Tensor call(Tensor x1, Tensor x2) {
        return Functional.cosineSimilarity(x1, x2, dim, eps);
    }

    @Override
    public String toString() {
        return "CosineSimilarity()";
    }
}
