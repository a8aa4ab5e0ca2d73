package io.vramlab.optim;

/**
 * Up to the highest rate in the first part of the steps, then far down (Smith and Topin, "Super-convergence", 2018);
 * PyTorch's defaults. Momentum goes the other way, between 0.85 and 0.95. PyTorch's {@code OneCycleLR}: the first
 * rate is a 25th of the highest, the last a 10,000th of the first, the top is at 30 % of the steps.
 */
public final class OneCycleLR extends Scheduler {

    private static final double START = 25;
    private static final double END = 1e4;
    private static final double RISE = 0.3;
    private static final double LEAST_MOMENTUM = 0.85;
    private static final double MOST_MOMENTUM = 0.95;

    private final double highest;
    private final long steps;
    private final boolean linear;
    private final boolean threePhases;

    /**
     * With that highest rate, over so many steps, along cosines.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param highest
     *            PyTorch's max_lr
     * @param steps
     *            of the whole cycle, PyTorch's total_steps
     * @throws IllegalArgumentException
     *             if there are fewer than 2 steps
     */
    public OneCycleLR(Optimizer optimizer, double highest, long steps) {
        this(optimizer, highest, steps, false, false);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param highest
     *            PyTorch's max_lr
     * @param steps
     *            of the whole cycle, PyTorch's total_steps
     * @param linear
     *            straight lines in place of cosines
     * @param threePhases
     *            up, down as far, then far down; otherwise up and far down
     * @throws IllegalArgumentException
     *             if there are fewer than 2 steps
     */
    public OneCycleLR(Optimizer optimizer, double highest, long steps, boolean linear, boolean threePhases) {
        super(optimizer);
        if (steps < 2) {
            throw new IllegalArgumentException("OneCycleLR with steps=" + steps + ": it needs at least 2.");
        }
        this.highest = highest;
        this.steps = steps;
        this.linear = linear;
        this.threePhases = threePhases;
        start();
    }

    /** Between low (0) and high (1) of rate; the last phase goes from the first value to the last. */
    private double along(long epoch, double first, double top, double last) {
        double peak = RISE * steps - 1;
        if (epoch <= peak) {
            return between(first, top, epoch / peak);
        }
        if (threePhases) {
            double back = 2 * RISE * steps - 2;
            return epoch <= back
                    ? between(top, first, (epoch - peak) / (back - peak))
                    : between(first, last, Math.min(1, (epoch - back) / (steps - 1 - back)));
        }
        return between(top, last, Math.min(1, (epoch - peak) / (steps - 1 - peak)));
    }

    @Override
    protected double rate(double base, long epoch) {
        double first = highest / START;
        return along(epoch, first, highest, first / END);
    }

    @Override
    protected void alongside(ParamGroup group, long epoch) {
        momentum(group, along(epoch, MOST_MOMENTUM, LEAST_MOMENTUM, MOST_MOMENTUM));
    }

    private double between(double from, double to, double part) {
        return linear ? from + (to - from) * part : to + (from - to) * (1 + Math.cos(Math.PI * part)) / 2;
    }
}
