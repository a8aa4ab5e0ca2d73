package io.vramlab.optim;

/** Down to 0 as a power of the steps that are left. PyTorch's {@code PolynomialLR}. */
public final class PolynomialLR extends Scheduler {

    private final long totalIters;
    private final double power;

    /**
     * A straight line to 0 in 5 steps.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     */
    public PolynomialLR(Optimizer optimizer) {
        this(optimizer, 5, 1);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param totalIters
     *            steps to 0
     * @param power
     *            the exponent
     */
    public PolynomialLR(Optimizer optimizer, long totalIters, double power) {
        super(optimizer);
        this.totalIters = totalIters;
        this.power = power;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return base * Math.pow(1 - (double) Math.min(totalIters, epoch) / totalIters, power);
    }
}
