package io.vramlab.optim;

/** The rate times a factor that goes linearly from one value to another. PyTorch's {@code LinearLR}. */
public final class LinearLR extends Scheduler {

    private final double startFactor;
    private final double endFactor;
    private final long totalIters;

    /**
     * From a third to the whole in 5 steps.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     */
    public LinearLR(Optimizer optimizer) {
        this(optimizer, 1.0 / 3, 1, 5);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param startFactor
     *            at first
     * @param endFactor
     *            in the end
     * @param totalIters
     *            steps between
     */
    public LinearLR(Optimizer optimizer, double startFactor, double endFactor, long totalIters) {
        super(optimizer);
        this.startFactor = startFactor;
        this.endFactor = endFactor;
        this.totalIters = totalIters;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return base * (startFactor + (endFactor - startFactor) * Math.min(totalIters, epoch) / totalIters);
    }
}
