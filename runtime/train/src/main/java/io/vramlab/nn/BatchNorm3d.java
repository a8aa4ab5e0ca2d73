package io.vramlab.nn;

/**
 * Normalises each channel of [n, channels, depth, height, width] by the batch's statistics while training, by the running
 * ones in inference.
 *
 * <p>
 * Parameters: weight and bias [channels]; buffers: running mean and variance [channels], and a count of batches
 * (int64). Backward holds the input and two numbers per channel. PyTorch's eps of 1e-5 and momentum of 0.1.
 */
public class BatchNorm3d extends BatchNorm {

    /**
     * For so many channels.
     *
     * @param channels
     *            second size of the inputs
     */
    public BatchNorm3d(long channels) {
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
    public BatchNorm3d(long channels, double eps) {
        super(channels, eps, .1, true, true);
    }

    /**
     * With weight and bias or without: {@code nn.BatchNorm3d(channels, affine=False)}.
     *
     * @param channels
     *            second size of the inputs
     * @param affine
     *            whether there are weight and bias; true by default
     */
    public BatchNorm3d(long channels, boolean affine) {
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
    public BatchNorm3d(long channels, double eps, Double momentum) {
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
    public BatchNorm3d(long channels, double eps, Double momentum, boolean affine, boolean trackRunningStats) {
        super(channels, eps, momentum, affine, trackRunningStats);
    }

    /** With a counter that exists already. */
    BatchNorm3d(long channels, Buffer tracked) {
        super(channels, tracked);
    }

    @Override
    boolean takes(int dims) {
        return dims == 5;
    }

    @Override
    String words() {
        return "5D";
    }
}
