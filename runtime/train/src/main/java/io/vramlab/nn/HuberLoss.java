package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.ops.loss.Reduction;

/** Squared error up to a distance of delta, delta times the absolute beyond (Huber, 1964). */
public final class HuberLoss extends Loss {

    private final double delta;

    /** Mean of all, with PyTorch's defaults. */
    public HuberLoss() {
        this(Reduction.MEAN, 1);
    }

    /** With another reduction. */
    public HuberLoss(Reduction reduction) {
        this(reduction, 1);
    }

    /**
     * With everything.
     *
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
