package io.vramlab.optim;

import java.util.List;

/**
 * Several schedules at once: the rate is the first one times what each makes of it. For schedules that are factors
 * (constant, linear, exponential, stepwise ones); only this one is stepped. PyTorch's {@code ChainedScheduler}.
 */
public final class ChainedScheduler extends Scheduler {

    private final List<Scheduler> parts;

    /**
     * Those schedules of the same optimizer.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param parts
     *            called for their rates, never stepped; the first one's counts as it is
     */
    public ChainedScheduler(Optimizer optimizer, List<? extends Scheduler> parts) {
        super(optimizer);
        this.parts = List.copyOf(parts);
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return rate(base, 0, epoch);
    }

    @Override
    protected double rate(double first, int group, long steps) {
        double rate = first;
        for (Scheduler part : parts) {
            rate *= first == 0 ? 0 : part.rate(first, group, steps) / first;
        }
        return rate;
    }
}
