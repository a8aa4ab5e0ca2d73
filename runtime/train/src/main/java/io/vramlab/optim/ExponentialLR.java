package io.vramlab.optim;

/** The rate times gamma at every step. PyTorch's {@code ExponentialLR}. */
public final class ExponentialLR extends Scheduler {

    private final double gamma;

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param gamma
     *            the factor
     */
    public ExponentialLR(Optimizer optimizer, double gamma) {
        super(optimizer);
        this.gamma = gamma;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return base * Math.pow(gamma, epoch);
    }
}
