package io.vramlab.nn;

/**
 * Normalises each channel of [n, channels, height, width] by the batch's statistics while training, by the running
 * ones in inference.
 */
public final class BatchNorm2d extends BatchNorm {

    /** For so many channels. */
    public BatchNorm2d(long channels) {
        super(channels);
    }

    /** With a counter that exists already. */
    BatchNorm2d(long channels, Buffer tracked) {
        super(channels, tracked);
    }

    @Override
    boolean takes(int dims) {
        return dims == 4;
    }

    @Override
    String words() {
        return "4D";
    }
}
