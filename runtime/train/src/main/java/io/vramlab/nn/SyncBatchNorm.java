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

    @Override
    boolean takes(int dims) {
        return dims >= 2;
    }

    @Override
    String words() {
        return "at least 2D";
    }
}
