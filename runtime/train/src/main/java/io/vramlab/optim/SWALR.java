package io.vramlab.optim;

/**
 * Towards one rate for all, in so many steps, from whatever rate there is when it is first stepped: for averaging weights at the
 * end of training (Izmailov et al., 2018), with {@link io.vramlab.nn.AveragedModel}. Another schedule may run before it.
 */
public final class SWALR extends Scheduler {

    /** How the rate goes there. */
    public enum Strategy {
        /** As half a cosine. */
        COS,
        /** In a straight line. */
        LINEAR
    }

    private static final long USUAL_EPOCHS = 10;

    private final Optimizer optimizer;
    private final double swaLr;
    private final long annealEpochs;
    private final Strategy strategy;

    /**
     * In 10 steps along a cosine.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param swaLr
     *            the rate in the end
     */
    public SWALR(Optimizer optimizer, double swaLr) {
        this(optimizer, swaLr, USUAL_EPOCHS, Strategy.COS);
    }

    /**
     * In so many steps.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param swaLr
     *            the rate in the end
     * @param annealEpochs
     *            steps until then; 10 by default
     * @param strategy
     *            how the rate goes there; along a cosine by default
     * @throws IllegalArgumentException
     *             if there are fewer than 0 steps
     */
    public SWALR(Optimizer optimizer, double swaLr, long annealEpochs, Strategy strategy) {
        super(optimizer);
        if (annealEpochs < 0) {
            throw new IllegalArgumentException("SWALR with annealEpochs=" + annealEpochs
                    + ": anneal_epochs must be equal or greater than 0.");
        }
        this.optimizer = optimizer;
        this.swaLr = swaLr;
        this.annealEpochs = annealEpochs;
        this.strategy = strategy;
        optimizer.paramGroups().forEach(g -> g.set("swa_lr", swaLr));
        start();
    }

    private double share(long step) {
        double t = Math.clamp((double) step / Math.max(1, annealEpochs), 0, 1);
        return strategy == Strategy.COS ? (1 - Math.cos(Math.PI * t)) / 2 : t;
    }

    @Override
    protected double rate(double base, long epoch) {
        return rate(base, 0, epoch);
    }

    /** From the group's present rate back to where it began, and on from there. */
    @Override
    protected double rate(double first, int group, long steps) {
        double now = optimizer.paramGroups().get(group).get("lr");
        long step = annealEpochs == 0 ? Math.max(1, steps) : steps;
        double before = share(step - 1);
        double begun = before == 1 ? swaLr : (now - before * swaLr) / (1 - before);
        double share = share(step);
        return swaLr * share + begun * (1 - share);
    }
}
