package io.vramlab.nn;

/**
 * Normalises each channel of each sample of [n, channels, height, width] by its own statistics. Backward holds the
 * input and two numbers for each channel of each sample.
 *
 * <p>
 * With affine, weight and bias [channels]; with running statistics, mean and variance [channels] and an int64 count.
 * PyTorch's eps of 1e-5 and momentum of 0.1.
 */
public class InstanceNorm2d extends InstanceNorm {

    /**
     * Without weight, bias and running statistics: PyTorch's defaults.
     *
     * @param channels
     *            second size of the inputs
     */
    public InstanceNorm2d(long channels) {
        this(channels, false, false);
    }

    /**
     * With everything.
     *
     * @param channels
     *            second size of the inputs
     * @param affine
     *            whether there are weight and bias
     * @param trackRunningStats
     *            whether evaluation uses moving averages
     */
    public InstanceNorm2d(long channels, boolean affine, boolean trackRunningStats) {
        this(channels, EPS, MOMENTUM, affine, trackRunningStats);
    }

    /**
     * With weight and bias or without: {@code nn.InstanceNorm2d(channels, affine=True)}.
     *
     * @param channels
     *            second size of the inputs
     * @param affine
     *            whether there are weight and bias; false by default
     */
    public InstanceNorm2d(long channels, boolean affine) {
        this(channels, EPS, MOMENTUM, affine, false);
    }

    /**
     * With another number added to the variance.
     *
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     */
    public InstanceNorm2d(long channels, double eps) {
        this(channels, eps, MOMENTUM, false, false);
    }

    /**
     * With everything, in PyTorch's order.
     *
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param momentum
     *            share of the newest batch in the running statistics, 0.1 by default; null leaves them as they are
     * @param affine
     *            whether there are weight and bias; false by default
     * @param trackRunningStats
     *            whether evaluation uses moving averages; false by default
     */
    public InstanceNorm2d(long channels, double eps, Double momentum, boolean affine, boolean trackRunningStats) {
        super(channels, eps, momentum, affine, trackRunningStats);
    }

    /** With a counter that exists already; null for no running statistics. */
    InstanceNorm2d(long channels, boolean affine, Buffer tracked) {
        super(channels, affine, tracked);
    }

    @Override
    int dims() {
        return 4;
    }
}
