package io.vramlab.optim;

/**
 * Up along a cosine from highest / 25 to the highest rate in the first 30 % of the steps, then down to highest / 250,000
 * (Smith and Topin, "Super-convergence", 2018; PyTorch's defaults). Momentum is left alone.
 */
public final class OneCycleLR extends Scheduler {

    private static final double START = 25;
    private static final double END = 1e4;
    private static final double RISE = 0.3;

    private final double highest;
    private final long steps;

    /** With that highest rate, over so many steps. */
    public OneCycleLR(Optimizer optimizer, double highest, long steps) {
        super(optimizer);
        if (steps < 2) {
            throw new IllegalArgumentException("OneCycleLR with steps=" + steps + ": it needs at least 2.");
        }
        this.highest = highest;
        this.steps = steps;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        double top = RISE * steps - 1;
        double first = highest / START;
        return epoch <= top
                ? between(first, highest, epoch / top)
                : between(highest, first / END, Math.min(1, (epoch - top) / (steps - 1 - top)));
    }

    private static double between(double from, double to, double part) {
        return to + (from - to) * (1 + Math.cos(Math.PI * part)) / 2;
    }
}
