package io.vramlab.nn;

/**
 * Batch norm over the batches of all processes. There is one process here, so that it normalises as {@link BatchNorm2d} does,
 * [n, channels, …] of any dimensions, as PyTorch's without a process group. Backward holds the input and two numbers
 * per channel.
 */
public class SyncBatchNorm extends BatchNorm {

    /**
     * For so many channels.
     *
     * @param channels
     *            second size of the inputs
     */
    public SyncBatchNorm(long channels) {
        super(channels);
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
    public SyncBatchNorm(long channels, double eps, Double momentum) {
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
    public SyncBatchNorm(long channels, double eps, Double momentum, boolean affine, boolean trackRunningStats) {
        super(channels, eps, momentum, affine, trackRunningStats);
    }

    @Override
    boolean takes(int dims) {
        return dims >= 2;
    }

    @Override
    String words() {
        return "at least 2D";
    }
}
