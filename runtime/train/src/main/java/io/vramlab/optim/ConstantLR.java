package io.vramlab.optim;

/** The rate times a factor for some steps, then as it was. PyTorch's {@code ConstantLR}. */
public final class ConstantLR extends Scheduler {

    private final double factor;
    private final long totalIters;

    /**
     * A third for 5 steps.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     */
    public ConstantLR(Optimizer optimizer) {
        this(optimizer, 1.0 / 3, 5);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param factor
     *            at first
     * @param totalIters
     *            steps that it lasts
     */
    public ConstantLR(Optimizer optimizer, double factor, long totalIters) {
        super(optimizer);
        this.factor = factor;
        this.totalIters = totalIters;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return epoch < totalIters ? base * factor : base;
    }
}
