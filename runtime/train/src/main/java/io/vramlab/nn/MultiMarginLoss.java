package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Mean over classes of max(0, margin - x[y] + x[i])^p: input [n, classes], target [n] of int64. Computed on the host,
 * whatever the device; backward holds the input.
 */
public class MultiMarginLoss extends Loss {

    private final double p;
    private final double margin;
    private final Tensor weight;

    /** With p and margin 1 and the mean. */
    public MultiMarginLoss() {
        this(1, 1, null, Reduction.MEAN);
    }

    /**
     * With everything.
     *
     * @param p
     *            1 or 2
     * @param margin
     *            wanted between the right class and the others; 1 by default
     * @param weight
     *            of each class, [classes], or null
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public MultiMarginLoss(double p, double margin, Tensor weight, Reduction reduction) {
        super(reduction);
        this.p = p;
        this.margin = margin;
        this.weight = weight;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.multiMarginLoss(input, target, p, margin, weight, reduction());
    }
}
