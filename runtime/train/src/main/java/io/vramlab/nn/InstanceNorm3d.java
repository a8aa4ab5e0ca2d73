package io.vramlab.nn;

/** Normalises each channel of each sample of [n, channels, depth, height, width] by its own statistics. */
public final class InstanceNorm3d extends InstanceNorm {

    /** Without weight, bias and running statistics: PyTorch's defaults. */
    public InstanceNorm3d(long channels) {
        this(channels, false, false);
    }

    /**
     * With everything.
     *
     * @param affine
     *            whether there are weight and bias
     * @param trackRunningStats
     *            whether evaluation uses moving averages
     */
    public InstanceNorm3d(long channels, boolean affine, boolean trackRunningStats) {
        super(channels, affine, trackRunningStats);
    }

    /** With a counter that exists already; null for no running statistics. */
    InstanceNorm3d(long channels, boolean affine, Buffer tracked) {
        super(channels, affine, tracked);
    }

    @Override
    int dims() {
        return 5;
    }
}
