package io.vramlab.optim;

/** Multiplies the rate by gamma after every so many steps. PyTorch's {@code StepLR}. */
public final class StepLR extends Scheduler {

    private final long stepSize;
    private final double gamma;

    /**
     * Gamma 0.1.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param stepSize
     *            steps at one rate
     * @throws IllegalArgumentException
     *             if it is not positive
     */
    public StepLR(Optimizer optimizer, long stepSize) {
        this(optimizer, stepSize, 0.1);
    }

    /**
     * With that gamma.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param stepSize
     *            steps at one rate
     * @param gamma
     *            the factor; 0.1 by default
     * @throws IllegalArgumentException
     *             if stepSize is not positive
     */
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
