package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Mean of each window of [n, c, length], or without the batch; padding counts unless told otherwise. */
public final class AvgPool1d extends Pooling {

    private final boolean countIncludePad;

    /** Windows side by side. */
    public AvgPool1d(long kernel) {
        this(kernel, new PoolOptions());
    }

    /** With a step. */
    public AvgPool1d(long kernel, long stride) {
        this(kernel, new PoolOptions().stride(stride));
    }

    /** With a step and a padding. */
    public AvgPool1d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /** With a step, a padding, whether the last window may reach beyond the end, and whether padding counts. */
    public AvgPool1d(long kernel, long stride, long padding, boolean ceilMode, boolean countIncludePad) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).ceilMode(ceilMode)
                .countIncludePad(countIncludePad));
    }

    /** With options by name. */
    public AvgPool1d(long kernel, PoolOptions options) {
        super(1, new long[]{kernel}, options);
        countIncludePad = options.countIncludePad;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool1d(input, kernel[0], stride[0], padding[0], ceilMode, countIncludePad);
    }

    @Override
    protected String extraRepr() {
        return "kernel_size=" + Numbers.tuple(kernel) + ", stride=" + Numbers.tuple(stride) + ", padding="
                + Numbers.tuple(padding);
    }
}
