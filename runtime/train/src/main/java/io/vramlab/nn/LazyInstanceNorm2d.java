package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** An {@link InstanceNorm2d} of as many channels as the first input. */
public final class LazyInstanceNorm2d extends LazyNorm {

    private final boolean affine;

    /** With weight, bias and running statistics: what PyTorch's lazy one has by default, unlike the one it becomes. */
    public LazyInstanceNorm2d() {
        this(true, true);
    }

    /**
     * With or without weight and bias, and running statistics.
     *
     * @param affine
     *            whether there are weight and bias; true by default
     * @param trackRunningStats
     *            whether evaluation uses moving averages; true by default
     */
    public LazyInstanceNorm2d(boolean affine, boolean trackRunningStats) {
        super(trackRunningStats);
        this.affine = affine;
    }

    @Override
    Module made(Tensor input) {
        return new InstanceNorm2d(input.size(1), affine, tracked());
    }

    @Override
    boolean isAffine() {
        return affine;
    }
}
