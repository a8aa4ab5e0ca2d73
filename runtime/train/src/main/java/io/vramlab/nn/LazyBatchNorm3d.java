package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** A {@link BatchNorm3d} of as many channels as the first input. */
public final class LazyBatchNorm3d extends LazyNorm {

    /** With weight, bias and running statistics. */
    public LazyBatchNorm3d() {
        super(true);
    }

    @Override
    Module made(Tensor input) {
        return new BatchNorm3d(input.size(1), tracked());
    }
}
