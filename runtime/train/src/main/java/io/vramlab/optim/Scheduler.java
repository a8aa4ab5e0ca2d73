package io.vramlab.optim;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes an optimizer's learning rates as training goes on; {@link #step} is called after the optimizer's, once per
 * epoch or per step as the schedule means it. Rates follow from the count of steps and from the rates at construction.
 */
public abstract class Scheduler {

    private final Optimizer optimizer;
    private final List<Double> base = new ArrayList<>();
    private long epoch;

    /** Starts from the optimizer's present rates. */
    protected Scheduler(Optimizer optimizer) {
        this.optimizer = optimizer;
        optimizer.paramGroups().forEach(g -> base.add(g.get("lr")));
    }

    /** The rate after so many steps for a group that started with {@code base}. */
    protected abstract double rate(double base, long epoch);

    /** Sets the rates of step 0; called by constructors once their settings are known. */
    protected final void start() {
        apply();
    }

    /** One step on. */
    public final void step() {
        epoch++;
        apply();
    }

    private void apply() {
        List<ParamGroup> groups = optimizer.paramGroups();
        for (int i = 0; i < base.size(); i++) {
            groups.get(i).lr(rate(base.get(i), epoch));
        }
    }

    /** Steps taken. */
    public final long lastEpoch() {
        return epoch;
    }

    /** The rates now, one per group. */
    public final List<Double> getLastLr() {
        return optimizer.paramGroups().stream().map(g -> g.get("lr")).toList();
    }
}
