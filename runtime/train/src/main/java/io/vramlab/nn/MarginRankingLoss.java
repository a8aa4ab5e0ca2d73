package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * max(0, margin - target (x1 - x2)); targets are 1 and -1. x1, x2 and targets are of one shape. Composed as in
 * PyTorch.
 */
public class MarginRankingLoss extends Loss3 {

    private final double margin;

    /** Mean of all, with PyTorch's defaults. */
    public MarginRankingLoss() {
        this(Reduction.MEAN, 0);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public MarginRankingLoss(Reduction reduction) {
        this(reduction, 0);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param margin
     *            distance wanted
     */
    public MarginRankingLoss(Reduction reduction, double margin) {
        super(reduction);
        this.margin = margin;
    }

    @Override
    public Tensor call(Tensor x1, Tensor x2, Tensor target) {
        return Functional.marginRankingLoss(x1, x2, target, margin, reduction());
    }
}
