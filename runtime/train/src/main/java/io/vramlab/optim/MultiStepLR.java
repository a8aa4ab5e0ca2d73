package io.vramlab.optim;

import java.util.Arrays;

/** The rate times gamma after each of some steps; a step named twice counts twice. PyTorch's {@code MultiStepLR}. */
public final class MultiStepLR extends Scheduler {

    private static final double TENTH = 0.1;

    private final long[] milestones;
    private final double gamma;

    /**
     * A tenth after each of those steps.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param milestones
     *            counts of steps
     */
    public MultiStepLR(Optimizer optimizer, long... milestones) {
        this(optimizer, milestones, TENTH);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param milestones
     *            the steps
     * @param gamma
     *            the factor
     */
    public MultiStepLR(Optimizer optimizer, long[] milestones, double gamma) {
        super(optimizer);
        this.milestones = milestones.clone();
        this.gamma = gamma;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        return base * Math.pow(gamma, Arrays.stream(milestones).filter(m -> m <= epoch).count());
    }
}
