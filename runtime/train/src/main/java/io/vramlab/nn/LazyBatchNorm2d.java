package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** A {@link BatchNorm2d} of as many channels as the first input. */
public final class LazyBatchNorm2d extends LazyNorm {

    /** With weight, bias and running statistics. */
    public LazyBatchNorm2d() {
        super(true);
    }

    @Override
    Module made(Tensor input) {
        return new BatchNorm2d(input.size(1), tracked());
    }
}
