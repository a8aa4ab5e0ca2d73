package io.vramlab.optim;

import io.vramlab.tensor.Owner;

import java.util.Map;

/**
 * Lowers the rates when a figure has stopped getting better: stepped with that figure, once per epoch. PyTorch's
 * {@code ReduceLROnPlateau}; a change of less than 1e-8 is not made.
 */
public final class ReduceLROnPlateau extends Owner {

    /** Which way is better. */
    public enum Mode {
        /** Less. */
        MIN,
        /** More. */
        MAX
    }

    private static final double TENTH = 0.1;
    private static final int USUAL_PATIENCE = 10;
    private static final double USUAL_THRESHOLD = 1e-4;

    private final Optimizer optimizer;
    private Mode mode;
    private double factor;
    private int patience;
    private double threshold;
    private boolean relative;
    private int cooldown;
    private double lowest;
    private final double least;
    private double best;
    private int bad;
    private int cooling;

    /**
     * Less is better; a tenth after more than 10 epochs without: PyTorch's defaults.
     *
     * @param optimizer
     *            whose groups' rates this lowers
     */
    public ReduceLROnPlateau(Optimizer optimizer) {
        this(optimizer, Mode.MIN, TENTH, USUAL_PATIENCE, USUAL_THRESHOLD, true, 0, 0);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this lowers
     * @param mode
     *            which way is better
     * @param factor
     *            of the new rate, below 1
     * @param patience
     *            epochs without improvement that are let pass
     * @param threshold
     *            what counts as improvement
     * @param relative
     *            whether that is a share of the best figure, PyTorch's {@code threshold_mode='rel'}
     * @param cooldown
     *            epochs after a lowering that do not count
     * @param lowest
     *            the lowest rate
     * @throws IllegalArgumentException
     *             if the factor is 1 or more
     */
    public ReduceLROnPlateau(Optimizer optimizer, Mode mode, double factor, int patience, double threshold,
            boolean relative, int cooldown, double lowest) {
        this.optimizer = optimizer;
        this.mode = mode;
        this.factor = checked(factor);
        this.patience = patience;
        this.threshold = threshold;
        this.relative = relative;
        this.cooldown = cooldown;
        this.lowest = lowest;
        this.least = 1e-8;
        this.best = mode == Mode.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    /**
     * Which way is better.
     *
     * @param value
     *            {@link Mode#MIN} by default
     * @return this
     */
    public ReduceLROnPlateau mode(Mode value) {
        mode = value;
        best = value == Mode.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        return this;
    }

    /**
     * What rates are multiplied by.
     *
     * @param value
     *            below 1; 0.1 by default
     * @return this
     */
    public ReduceLROnPlateau factor(double value) {
        factor = checked(value);
        return this;
    }

    /**
     * Epochs without improvement that are let pass.
     *
     * @param epochs
     *            10 by default
     * @return this
     */
    public ReduceLROnPlateau patience(int epochs) {
        patience = epochs;
        return this;
    }

    /**
     * What counts as improvement.
     *
     * @param value
     *            1e-4 by default
     * @return this
     */
    public ReduceLROnPlateau threshold(double value) {
        threshold = value;
        return this;
    }

    /**
     * Whether the threshold is a share of the best figure, PyTorch's {@code threshold_mode}.
     *
     * @param on
     *            true by default
     * @return this
     */
    public ReduceLROnPlateau relative(boolean on) {
        relative = on;
        return this;
    }

    /**
     * Epochs after a lowering that do not count.
     *
     * @param epochs
     *            0 by default
     * @return this
     */
    public ReduceLROnPlateau cooldown(int epochs) {
        cooldown = epochs;
        return this;
    }

    /**
     * The lowest rate.
     *
     * @param value
     *            0 by default
     * @return this
     */
    public ReduceLROnPlateau minLr(double value) {
        lowest = value;
        return this;
    }

    /**
     * One epoch on, with its figure.
     *
     * @param figure
     *            what is to get better, for instance the validation loss
     */
    public void step(double figure) {
        if (isBetter(figure)) {
            best = figure;
            bad = 0;
        } else {
            bad++;
        }
        if (cooling > 0) {
            cooling--;
            bad = 0;
        }
        if (bad > patience) {
            lower();
            cooling = cooldown;
            bad = 0;
        }
    }

    /** {@return what follows from here on: {@code best}, {@code num_bad_epochs} and {@code cooldown_counter}} */
    public Map<String, Object> stateDict() {
        return Map.of("best", best, "num_bad_epochs", bad, "cooldown_counter", cooling);
    }

    /**
     * Goes on where another of the same settings was.
     *
     * @param state
     *            as {@link #stateDict} gives it
     * @throws IllegalArgumentException
     *             if a number is missing
     */
    public void loadStateDict(Map<String, ?> state) {
        best = number(state, "best").doubleValue();
        bad = number(state, "num_bad_epochs").intValue();
        cooling = number(state, "cooldown_counter").intValue();
    }

    private static double checked(double factor) {
        if (factor >= 1) {
            throw new IllegalArgumentException("ReduceLROnPlateau with factor=" + factor + ": Factor should be < 1.0.");
        }
        return factor;
    }

    private static Number number(Map<String, ?> state, String name) {
        if (state.get(name) instanceof Number n) {
            return n;
        }
        throw new IllegalArgumentException("ReduceLROnPlateau was given the state " + state + ", which has no " + name
                + ": give what stateDict() gave.");
    }

    private boolean isBetter(double figure) {
        double bound = mode == Mode.MIN
                ? relative ? best * (1 - threshold) : best - threshold
                : relative ? best * (1 + threshold) : best + threshold;
        return mode == Mode.MIN ? figure < bound : figure > bound;
    }

    private void lower() {
        for (ParamGroup group : optimizer.paramGroups()) {
            double old = group.get("lr");
            double next = Math.max(old * factor, lowest);
            if (old - next > least) {
                group.lr(next);
            }
        }
    }
}
