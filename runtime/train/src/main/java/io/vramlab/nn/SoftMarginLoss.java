package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** log(1 + exp(-target x)); targets are 1 and -1. Input and target are of one shape; backward holds both. */
public class SoftMarginLoss extends Loss {

    /** Mean of all, with PyTorch's defaults. */
    public SoftMarginLoss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public SoftMarginLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.softMarginLoss(input, target, reduction());
    }
}
