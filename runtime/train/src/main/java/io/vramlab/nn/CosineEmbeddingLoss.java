package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * 1 - cosine where the target is 1, max(0, cosine - margin) where it is -1: rows [n, width], targets [n]. Composed as
 * in PyTorch: backward holds several tensors of the size of the rows.
 */
public class CosineEmbeddingLoss extends Loss3 {

    private final double margin;

    /** Mean of all, with PyTorch's defaults. */
    public CosineEmbeddingLoss() {
        this(Reduction.MEAN, 0);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public CosineEmbeddingLoss(Reduction reduction) {
        this(reduction, 0);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param margin
     *            cosine allowed of those apart
     */
    public CosineEmbeddingLoss(Reduction reduction, double margin) {
        super(reduction);
        this.margin = margin;
    }

    @Override
    public Tensor call(Tensor x1, Tensor x2, Tensor target) {
        return Functional.cosineEmbeddingLoss(x1, x2, target, margin, reduction());
    }
}
