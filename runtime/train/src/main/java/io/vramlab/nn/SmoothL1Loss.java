package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Squared error within beta of the target, absolute beyond (Girshick, 2015). Input and target are of one shape;
 * backward holds both. A beta of 0 is {@link L1Loss}; a negative one is an error of the call.
 */
public class SmoothL1Loss extends Loss {

    private final double beta;

    /** Mean of all, with PyTorch's defaults. */
    public SmoothL1Loss() {
        this(Reduction.MEAN, 1);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public SmoothL1Loss(Reduction reduction) {
        this(reduction, 1);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param beta
     *            where it becomes linear
     */
    public SmoothL1Loss(Reduction reduction, double beta) {
        super(reduction);
        this.beta = beta;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.smoothL1Loss(input, target, reduction(), beta);
    }
}
