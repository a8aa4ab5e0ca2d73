package io.vramlab.optim;

import java.util.Arrays;
import java.util.List;

/** Schedules one after the other, each from the rates at the very beginning; only this one is stepped. */
public final class SequentialLR extends Scheduler {

    private final List<Scheduler> parts;
    private final long[] milestones;

    /**
     * Those schedules of the same optimizer.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param parts
     *            called for their rates, never stepped
     * @param milestones
     *            the steps at which the second, the third, … takes over
     * @throws IllegalArgumentException
     *             if there is not one milestone fewer than schedules
     */
    public SequentialLR(Optimizer optimizer, List<? extends Scheduler> parts, long... milestones) {
        super(optimizer);
        if (parts.size() != milestones.length + 1) {
            throw new IllegalArgumentException("SequentialLR of " + parts.size() + " schedules with "
                    + Arrays.toString(milestones) + ": expects number of schedulers to be one more than the number of "
                    + "milestones.");
        }
        this.parts = List.copyOf(parts);
        this.milestones = milestones.clone();
        start();
    }

    private int active(long epoch) {
        return (int) Arrays.stream(milestones).filter(m -> m <= epoch).count();
    }

    private long since(long epoch) {
        int k = active(epoch);
        return epoch - (k == 0 ? 0 : milestones[k - 1]);
    }

    @Override
    protected double rate(double base, long epoch) {
        return parts.get(active(epoch)).rate(base, since(epoch));
    }

    @Override
    protected double rate(double first, int group, long steps) {
        return parts.get(active(steps)).rate(first, group, since(steps));
    }

    @Override
    protected void alongside(ParamGroup group, long steps) {
        parts.get(active(steps)).alongside(group, since(steps));
    }
}
