package io.vramlab.nn;

/**
 * Normalises each channel of [n, channels] or [n, channels, length] by the batch's statistics while training, by the running
 * ones in inference.
 *
 * <p>
 * Parameters: weight and bias [channels]; buffers: running mean and variance [channels], and a count of batches
 * (int64). Backward holds the input and two numbers per channel. PyTorch's eps of 1e-5 and momentum of 0.1.
 */
public class BatchNorm1d extends BatchNorm {

    /**
     * For so many channels.
     *
     * @param channels
     *            second size of the inputs
     */
    public BatchNorm1d(long channels) {
        super(channels);
    }

    /**
     * With another number added to the variance.
     *
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     */
    public BatchNorm1d(long channels, double eps) {
        super(channels, eps, .1, true, true);
    }

    /**
     * With weight and bias or without: {@code nn.BatchNorm1d(channels, affine=False)}.
     *
     * @param channels
     *            second size of the inputs
     * @param affine
     *            whether there are weight and bias; true by default
     */
    public BatchNorm1d(long channels, boolean affine) {
        super(channels, 1e-5, .1, affine, true);
    }

    /**
     * With another eps and momentum.
     *
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param momentum
     *            share of the newest batch in the running statistics, 0.1 by default; null for a mean of all batches
     */
    public BatchNorm1d(long channels, double eps, Double momentum) {
        super(channels, eps, momentum, true, true);
    }

    /**
     * With everything.
     *
     * @param channels
     *            second size of the inputs
     * @param eps
     *            added to the variance; 1e-5 by default
     * @param momentum
     *            share of the newest batch in the running statistics, 0.1 by default; null for a mean of all batches
     * @param affine
     *            whether there are weight and bias; true by default
     * @param trackRunningStats
     *            whether there are running statistics, true by default; without, the batch's are used in inference too
     */
    public BatchNorm1d(long channels, double eps, Double momentum, boolean affine, boolean trackRunningStats) {
        super(channels, eps, momentum, affine, trackRunningStats);
    }

    /** With a counter that exists already. */
    BatchNorm1d(long channels, Buffer tracked) {
        super(channels, tracked);
    }

    @Override
    boolean takes(int dims) {
        return dims == 2 || dims == 3;
    }

    @Override
    String words() {
        return "2D or 3D";
    }
}
