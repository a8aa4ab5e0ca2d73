package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** Binary cross-entropy of sigmoid(input) and targets in [0, 1], of one shape. Backward holds both, and the weights. */
public class BCEWithLogitsLoss extends Loss {

    private final Tensor weight;
    private final Tensor posWeight;

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
        this(null, null, reduction);
    }

    /**
     * With everything.
     *
     * @param weight
     *            of each loss, broadcast to the input's shape, borrowed; or null
     * @param posWeight
     *            of what is true, for instance [classes], borrowed; or null
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public BCEWithLogitsLoss(Tensor weight, Tensor posWeight, Reduction reduction) {
        super(reduction);
        this.weight = weight;
        this.posWeight = posWeight;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(input, target, weight, posWeight, reduction());
    }
}
