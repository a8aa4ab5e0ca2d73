package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** Binary cross-entropy of sigmoid(input) and targets in [0, 1], of one shape. Backward holds both. */
public class BCEWithLogitsLoss extends Loss {

    /** Mean of all elements. */
    public BCEWithLogitsLoss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public BCEWithLogitsLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(input, target, reduction());
    }
}
