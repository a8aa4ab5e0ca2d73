package io.vramlab.nn;

/**
 * Normalises each channel of [n, channels] or [n, channels, length] by the batch's statistics while training, by the running
 * ones in inference.
 */
public final class BatchNorm1d extends BatchNorm {

    /** For so many channels. */
    public BatchNorm1d(long channels) {
        super(channels);
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
