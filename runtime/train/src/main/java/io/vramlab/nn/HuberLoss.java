package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Squared error up to a distance of delta, delta times the absolute beyond (Huber, 1964). Input and target are of one
 * shape; backward holds both. A delta that is not positive is an error of the call.
 */
public class HuberLoss extends Loss {

    private final double delta;

    /** Mean of all, with PyTorch's defaults. */
    public HuberLoss() {
        this(Reduction.MEAN, 1);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public HuberLoss(Reduction reduction) {
        this(reduction, 1);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param delta
     *            where it becomes linear
     */
    public HuberLoss(Reduction reduction, double delta) {
        super(reduction);
        this.delta = delta;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.huberLoss(input, target, reduction(), delta);
    }
}
