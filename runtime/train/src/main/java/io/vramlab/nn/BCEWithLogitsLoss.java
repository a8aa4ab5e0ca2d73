package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.ops.loss.Reduction;

/** Binary cross-entropy of sigmoid(input) and targets in [0, 1], of one shape. */
public final class BCEWithLogitsLoss extends Loss {

    /** Mean of all elements. */
    public BCEWithLogitsLoss() {
        this(Reduction.MEAN);
    }

    /** With another reduction. */
    public BCEWithLogitsLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(input, target, reduction());
    }
}
