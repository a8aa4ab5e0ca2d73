package io.vramlab.optim;

/**
 * Half a cosine from the first rate down to the lowest (Loshchilov and Hutter, "SGDR", 2017, without restarts).
 * PyTorch's {@code CosineAnnealingLR}.
 */
public final class CosineAnnealingLR extends Scheduler {

    private final long steps;
    private final double lowest;

    /**
     * Down to 0 in so many steps.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param steps
     *            from the first rate to the lowest, PyTorch's T_max
     * @throws IllegalArgumentException
     *             if the steps are not positive
     */
    public CosineAnnealingLR(Optimizer optimizer, long steps) {
        this(optimizer, steps, 0);
    }

    /**
     * Down to that rate in so many steps; it rises again beyond.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param steps
     *            from the first rate to the lowest, PyTorch's T_max
     * @param lowest
     *            PyTorch's eta_min; 0 by default
     * @throws IllegalArgumentException
     *             if the steps are not positive
     */
    public CosineAnnealingLR(Optimizer optimizer, long steps, double lowest) {
        super(optimizer);
        if (steps <= 0) {
            throw new IllegalArgumentException("CosineAnnealingLR with steps=" + steps + ": it must be positive.");
        }
        this.steps = steps;
        this.lowest = lowest;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return lowest + (base - lowest) * (1 + Math.cos(Math.PI * epoch / steps)) / 2;
    }
}
