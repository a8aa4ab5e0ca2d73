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
