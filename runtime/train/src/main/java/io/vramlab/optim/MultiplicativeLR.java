package io.vramlab.optim;

import java.util.function.LongToDoubleFunction;

/** The rate times a factor at every step; the factor may depend on the step. PyTorch's {@code MultiplicativeLR}. */
public final class MultiplicativeLR extends Scheduler {

    private final LongToDoubleFunction factor;

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param factor
     *            of step 1, 2, …
     */
    public MultiplicativeLR(Optimizer optimizer, LongToDoubleFunction factor) {
        super(optimizer);
        this.factor = factor;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        double rate = base;
        for (long step = 1; step <= epoch; step++) {
            rate *= factor.applyAsDouble(step);
        }
        return rate;
    }
}
