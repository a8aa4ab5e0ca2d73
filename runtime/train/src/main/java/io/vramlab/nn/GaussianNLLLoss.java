package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * (log(var) + (x - target)^2 / var) / 2. Input, target and variance are of one shape, or the variance one number per
 * row. Composed as in PyTorch.
 */
public class GaussianNLLLoss extends Loss3 {

    private final boolean full;
    private final double eps;

    /** Mean of all, with PyTorch's defaults. */
    public GaussianNLLLoss() {
        this(Reduction.MEAN, false, 1e-6);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public GaussianNLLLoss(Reduction reduction) {
        this(reduction, false, 1e-6);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param full
     *            whether the constant is added
     * @param eps
     *            least variance
     */
    public GaussianNLLLoss(Reduction reduction, boolean full, double eps) {
        super(reduction);
        this.full = full;
        this.eps = eps;
    }

    @Override
    public Tensor call(Tensor input, Tensor target, Tensor var) {
        return Functional.gaussianNllLoss(input, target, var, full, eps, reduction());
    }
}
