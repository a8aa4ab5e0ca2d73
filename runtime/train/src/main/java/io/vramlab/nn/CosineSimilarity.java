package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Cosine of the angle between rows of two tensors along a dimension. Called with both. */
public final class CosineSimilarity {

    private final int dim;
    private final double eps;

    /** Along dimension 1. */
    public CosineSimilarity() {
        this(1, 1e-8);
    }

    /** Along a dimension; norms are at least eps. */
    public CosineSimilarity(int dim, double eps) {
        this.dim = dim;
        this.eps = eps;
    }

    /** The cosines. */
    public Tensor call(Tensor x1, Tensor x2) {
        return Functional.cosineSimilarity(x1, x2, dim, eps);
    }

    @Override
    public String toString() {
        return "CosineSimilarity()";
    }
}
