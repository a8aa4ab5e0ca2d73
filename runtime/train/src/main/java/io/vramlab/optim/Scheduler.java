package io.vramlab.optim;

import io.vramlab.tensor.Owner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Changes an optimizer's learning rates as training goes on; {@link #step} is called after the optimizer's, once per
 * epoch or per step as the schedule means it. Rates follow from the count of steps and from the rates at construction.
 */
public abstract class Scheduler extends Owner {

    private static final String INITIAL = "initial_lr";
    private static final String LAST = "last_epoch";
    private static final String BASE = "base_lrs";

    private final Optimizer optimizer;
    private final List<Double> base = new ArrayList<>();
    private long epoch;

    /**
     * Starts from the optimizer's present rates.
     *
     * @param optimizer
     *            of whose groups each keeps its rate as {@code initial_lr}, unless an earlier schedule did
     */
    protected Scheduler(Optimizer optimizer) {
        this.optimizer = optimizer;
        for (ParamGroup g : optimizer.paramGroups()) {
            // the first of several schedulers remembers where the rates started, as PyTorch's does
            if (g.find(INITIAL).isEmpty()) {
                g.set(INITIAL, g.get("lr"));
            }
            base.add(g.get(INITIAL));
        }
    }

    /**
     * {@return the rate after so many steps for a group that started with {@code base}}
     *
     * @param base
     *            the group's first rate
     * @param epoch
     *            steps taken, 0 at the beginning
     */
    protected abstract double rate(double base, long epoch);

    /**
     * {@return the rate after so many steps, for schedules that treat groups differently}
     *
     * @param first
     *            the group's first rate
     * @param group
     *            its number
     * @param steps
     *            steps taken, 0 at the beginning
     */
    protected double rate(double first, int group, long steps) {
        return rate(first, steps);
    }

    /**
     * What else changes with the rates after so many steps: nothing, unless a schedule moves momentum too.
     *
     * @param group
     *            a group of the optimizer
     * @param steps
     *            steps taken, 0 at the beginning
     */
    protected void alongside(ParamGroup group, long steps) {
        // most move the rates alone
    }

    /** Momentum, or what stands for it in Adam's kin. */
    static void momentum(ParamGroup group, double value) {
        if (group.find("beta1").isPresent()) {
            group.set("beta1", value);
        } else if (group.find("momentum").isPresent()) {
            group.set("momentum", value);
        }
    }

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
            groups.get(i).lr(rate(base.get(i), i, epoch));
            alongside(groups.get(i), epoch);
        }
    }

    /** {@return what follows from here on: {@code last_epoch} and {@code base_lrs}} */
    public final Map<String, Object> stateDict() {
        return Map.of(LAST, epoch, BASE, List.copyOf(base));
    }

    /**
     * Goes on where another schedule of the same kind and settings was. The optimizer's rates come with its own state, as in
     * PyTorch.
     *
     * @param state
     *            as {@link #stateDict} gives it
     * @throws IllegalArgumentException
     *             if that one had another number of groups
     */
    public final void loadStateDict(Map<String, ?> state) {
        if (!(state.get(LAST) instanceof Number last) || !(state.get(BASE) instanceof List<?> rates)
                || rates.size() != base.size()) {
            throw new IllegalArgumentException("A schedule of " + base.size() + " groups was given the state " + state
                    + ": it has " + LAST + " and as many " + BASE + ". Give what stateDict() gave.");
        }
        epoch = last.longValue();
        for (int i = 0; i < rates.size(); i++) {
            base.set(i, ((Number) rates.get(i)).doubleValue());
        }
    }

    /** {@return steps taken; 0 after construction} */
    public final long lastEpoch() {
        return epoch;
    }

    /** {@return the rates now, one per group} */
    public final List<Double> getLastLr() {
        return optimizer.paramGroups().stream().map(g -> g.get("lr")).toList();
    }
}
