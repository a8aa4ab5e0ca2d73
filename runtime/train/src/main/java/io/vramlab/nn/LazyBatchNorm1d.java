package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** A {@link BatchNorm1d} of as many channels as the first input. */
public final class LazyBatchNorm1d extends LazyNorm {

    /** With weight, bias and running statistics. */
    public LazyBatchNorm1d() {
        super(true);
    }

    @Override
    Module made(Tensor input) {
        return new BatchNorm1d(input.size(1), tracked());
    }
}
