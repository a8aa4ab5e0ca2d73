package io.vramlab.optim;

/** Half a cosine down to the lowest rate, again and again, each time so many times longer (Loshchilov and Hutter, "SGDR", 2017). */
public final class CosineAnnealingWarmRestarts extends Scheduler {

    private final long first;
    private final long factor;
    private final double lowest;

    /**
     * Each of so many steps, down to 0.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param first
     *            steps of each fall, PyTorch's T_0
     * @throws IllegalArgumentException
     *             if it is not positive
     */
    public CosineAnnealingWarmRestarts(Optimizer optimizer, long first) {
        this(optimizer, first, 1, 0);
    }

    /**
     * With everything.
     *
     * @param optimizer
     *            whose groups' rates this sets, from now on
     * @param first
     *            steps of the first fall, PyTorch's T_0
     * @param factor
     *            how many times longer each is than the one before, PyTorch's T_mult
     * @param lowest
     *            the lowest rate
     * @throws IllegalArgumentException
     *             if first is not positive or factor less than 1
     */
    public CosineAnnealingWarmRestarts(Optimizer optimizer, long first, long factor, double lowest) {
        super(optimizer);
        if (first <= 0 || factor < 1) {
            throw new IllegalArgumentException("CosineAnnealingWarmRestarts with first=" + first + ", factor=" + factor
                    + ": Expected positive integer T_0 and integer T_mult >= 1.");
        }
        this.first = first;
        this.factor = factor;
        this.lowest = lowest;
        start();
    }

    @Override
    protected double rate(double base, long epoch) {
        long length = first;
        long at = epoch;
        while (at >= length) {
            at -= length;
            length *= factor;
        }
        return lowest + (base - lowest) * (1 + Math.cos(Math.PI * at / length)) / 2;
    }
}
