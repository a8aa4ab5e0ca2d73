package io.vramlab.optim;

/** Multiplies the rate by gamma after every so many steps. */
public final class StepLR extends Scheduler {

    private final long stepSize;
    private final double gamma;

    /** Gamma 0.1. */
    public StepLR(Optimizer optimizer, long stepSize) {
        this(optimizer, stepSize, 0.1);
    }

    /** With that gamma. */
    public StepLR(Optimizer optimizer, long stepSize, double gamma) {
        super(optimizer);
        if (stepSize <= 0) {
            throw new IllegalArgumentException("StepLR with stepSize=" + stepSize + ": it must be positive.");
        }
        this.stepSize = stepSize;
        this.gamma = gamma;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return base * Math.pow(gamma, epoch / stepSize);
    }
}
