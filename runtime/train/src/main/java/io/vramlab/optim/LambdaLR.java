package io.vramlab.optim;

import java.util.function.LongToDoubleFunction;

/** The first rate times a function of the count of steps. PyTorch's {@code LambdaLR}. */
public final class LambdaLR extends Scheduler {

    private final LongToDoubleFunction factor;

    /**
     * With that function.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param factor
     *            of the count of steps, from 0
     */
    public LambdaLR(Optimizer optimizer, LongToDoubleFunction factor) {
        super(optimizer);
        this.factor = factor;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return base * factor.applyAsDouble(epoch);
    }
}
