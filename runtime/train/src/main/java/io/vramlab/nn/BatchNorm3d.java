package io.vramlab.nn;

/**
 * Normalises each channel of [n, channels, depth, height, width] by the batch's statistics while training, by the running
 * ones in inference.
 */
public final class BatchNorm3d extends BatchNorm {

    /** For so many channels. */
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
