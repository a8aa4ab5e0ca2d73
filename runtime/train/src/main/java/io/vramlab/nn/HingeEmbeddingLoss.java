package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * x where the target is 1, max(0, margin - x) where it is -1. Composed as in PyTorch; input and target are of one
 * shape.
 */
public class HingeEmbeddingLoss extends Loss {

    private final double margin;

    /** Mean of all, with PyTorch's defaults. */
    public HingeEmbeddingLoss() {
        this(Reduction.MEAN, 1);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public HingeEmbeddingLoss(Reduction reduction) {
        this(reduction, 1);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param margin
     *            distance wanted of those apart
     */
    public HingeEmbeddingLoss(Reduction reduction, double margin) {
        super(reduction);
        this.margin = margin;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.hingeEmbeddingLoss(input, target, margin, reduction());
    }
}
