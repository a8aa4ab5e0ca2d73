package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Binary cross-entropy of probabilities in [0, 1] and targets of the same shape. Backward holds both. Logarithms are
 * at least -100, and a mean or sum keeps the memory of the single losses, as in PyTorch.
 */
public class BCELoss extends Loss {

    private final Tensor weight;

    /** Mean of all, with PyTorch's defaults. */
    public BCELoss() {
        this(Reduction.MEAN, null);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            mean, sum or none
     */
    public BCELoss(Reduction reduction) {
        this(reduction, null);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param weight
     *            of each element, broadcast; borrowed; or null
     */
    public BCELoss(Reduction reduction, Tensor weight) {
        super(reduction);
        this.weight = weight;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropy(input, target, weight, reduction());
    }
}
