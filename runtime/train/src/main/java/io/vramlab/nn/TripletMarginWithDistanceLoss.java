package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;
import java.util.function.BinaryOperator;

/**
 * max(0, margin + distance(anchor, positive) - distance(anchor, negative)), by any distance. Composed as in PyTorch.
 */
public class TripletMarginWithDistanceLoss extends Loss3 {

    private final BinaryOperator<Tensor> distance;
    private final double margin;
    private final boolean swap;

    /** By the Euclidean distance, margin 1, the mean. */
    public TripletMarginWithDistanceLoss() {
        this(null, 1, false, Reduction.MEAN);
    }

    /**
     * With everything.
     *
     * @param distance
     *            of two tensors, or null for the Euclidean one of rows
     * @param margin
     *            distance wanted; 1 by default
     * @param swap
     *            whether the negative's distance from the positive counts where it is less
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public TripletMarginWithDistanceLoss(BinaryOperator<Tensor> distance, double margin, boolean swap,
            Reduction reduction) {
        super(reduction);
        this.distance = distance;
        this.margin = margin;
        this.swap = swap;
    }

    @Override
    public Tensor call(Tensor first, Tensor second, Tensor third) {
        return Functional.tripletMarginWithDistanceLoss(first, second, third, distance, margin, swap, reduction());
    }
}
