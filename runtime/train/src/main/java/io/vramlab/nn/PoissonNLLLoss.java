package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * exp(x) - target x of logarithms of rates, or of rates themselves. Input and target are of one shape. Composed as in
 * PyTorch.
 */
public class PoissonNLLLoss extends Loss {

    private final boolean logInput;
    private final boolean full;
    private final double eps;

    /** Mean of all, with PyTorch's defaults. */
    public PoissonNLLLoss() {
        this(Reduction.MEAN, true, false, 1e-8);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public PoissonNLLLoss(Reduction reduction) {
        this(reduction, true, false, 1e-8);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param logInput
     *            whether the input is a logarithm
     * @param full
     *            whether Stirling's term is added
     * @param eps
     *            keeps the logarithm of a rate finite
     */
    public PoissonNLLLoss(Reduction reduction, boolean logInput, boolean full, double eps) {
        super(reduction);
        this.logInput = logInput;
        this.full = full;
        this.eps = eps;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.poissonNllLoss(input, target, logInput, full, eps, reduction());
    }
}
