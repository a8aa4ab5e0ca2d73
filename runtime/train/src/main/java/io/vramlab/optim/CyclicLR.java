package io.vramlab.optim;

import java.util.function.DoubleUnaryOperator;

/**
 * Up and down between two rates in straight lines (Smith, "Cyclical Learning Rates", 2017). Momentum goes the other way,
 * between 0.8 and 0.9. PyTorch's {@code CyclicLR}, with momentum or beta1, where the optimizer has one.
 */
public final class CyclicLR extends Scheduler {

    /** How the height of the cycles changes. */
    public enum Mode {
        /** It stays. */
        TRIANGULAR,
        /** Half of it from cycle to cycle. */
        TRIANGULAR2,
        /** Times gamma at every step. */
        EXP_RANGE
    }

    private static final double LEAST_MOMENTUM = 0.8;
    private static final double MOST_MOMENTUM = 0.9;

    private final double lowest;
    private final double highest;
    private final long up;
    private final long down;
    private final Mode mode;
    private final double gamma;

    /**
     * Between those rates, so many steps up and as many down.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param lowest
     *            where each cycle begins
     * @param highest
     *            its top
     * @param stepSize
     *            steps up, and as many down
     */
    public CyclicLR(Optimizer optimizer, double lowest, double highest, long stepSize) {
        this(optimizer, lowest, highest, stepSize, stepSize, Mode.TRIANGULAR, 1);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param lowest
     *            where each cycle begins
     * @param highest
     *            top of the first cycle
     * @param up
     *            steps from the lowest to the highest rate
     * @param down
     *            steps back
     * @param mode
     *            how the tops change
     * @param gamma
     *            for {@link Mode#EXP_RANGE}
     */
    public CyclicLR(Optimizer optimizer, double lowest, double highest, long up, long down, Mode mode, double gamma) {
        super(optimizer);
        this.lowest = lowest;
        this.highest = highest;
        this.up = up;
        this.down = down;
        this.mode = mode;
        this.gamma = gamma;
        start();
    }

    private double height(long epoch, DoubleUnaryOperator scale) {
        double total = up + down;
        double cycle = Math.floor(1 + epoch / total);
        double x = 1 + epoch / total - cycle;
        double part = up / total;
        double share = x <= part ? x / part : (x - 1) / (part - 1);
        return share * scale.applyAsDouble(cycle);
    }

    private double scaled(long epoch) {
        return height(epoch, cycle -> switch (mode) {
            case TRIANGULAR -> 1;
            case TRIANGULAR2 -> 1 / Math.pow(2, cycle - 1);
            case EXP_RANGE -> Math.pow(gamma, epoch);
        });
    }

    @Override
    protected double rate(double base, long epoch) {
        return lowest + (highest - lowest) * scaled(epoch);
    }

    @Override
    protected void alongside(ParamGroup group, long epoch) {
        momentum(group, MOST_MOMENTUM - (MOST_MOMENTUM - LEAST_MOMENTUM) * scaled(epoch));
    }
}
