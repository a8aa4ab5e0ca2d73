package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** The p-norm of the difference of two tensors' rows, plus a little that keeps it from 0. */
public class PairwiseDistance {

    private static final double EPS = 1e-6;
    private final double p;
    private final double eps;
    private final boolean keepDim;

    /** Euclidean. */
    public PairwiseDistance() {
        this(2, EPS, false);
    }

    /**
     * With everything.
     *
     * @param p
     *            of the norm: 1, 2 or infinity
     * @param eps
     *            added to each difference
     * @param keepDim
     *            whether the last dimension stays, of size 1
     */
    public PairwiseDistance(double p, double eps, boolean keepDim) {
        this.p = p;
        this.eps = eps;
        this.keepDim = keepDim;
    }

    /**
     * {@return the distances of rows [… width] and [… width]: […]}
     *
     * @param x1
     *            [… width]
     * @param x2
     *            [… width]
     */
    public Tensor call(Tensor x1, Tensor x2) {
        return Functional.pairwiseDistance(x1, x2, p, eps, keepDim);
    }

    @Override
    public String toString() {
        return "PairwiseDistance()";
    }
}
