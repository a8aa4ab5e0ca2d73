package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * max(0, margin + d(anchor, positive) - d(anchor, negative)) (Balntas et al., 2016). Anchor, positive and negative
 * are [… width]. Composed as in PyTorch.
 */
public class TripletMarginLoss extends Loss3 {

    private final double margin;
    private final double p;
    private final double eps;
    private final boolean swap;

    /** Mean of all, with PyTorch's defaults. */
    public TripletMarginLoss() {
        this(Reduction.MEAN, 1, 2, 1e-6, false);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public TripletMarginLoss(Reduction reduction) {
        this(reduction, 1, 2, 1e-6, false);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param margin
     *            distance wanted
     * @param p
     *            of the norm: 1, 2 or infinity
     * @param eps
     *            added to each difference
     * @param swap
     *            whether the nearer of anchor and positive counts against the negative
     */
    public TripletMarginLoss(Reduction reduction, double margin, double p, double eps, boolean swap) {
        super(reduction);
        this.margin = margin;
        this.p = p;
        this.eps = eps;
        this.swap = swap;
    }

    @Override
    public Tensor call(Tensor anchor, Tensor positive, Tensor negative) {
        return Functional.tripletMarginLoss(anchor, positive, negative, margin, p, eps, swap, reduction());
    }
}
