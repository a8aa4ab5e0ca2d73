package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Mean of each window of [n, c, d, h, w], or without the batch; padding counts unless told otherwise. */
public final class AvgPool3d extends Pooling {

    private final boolean countIncludePad;
    private final long divisorOverride;

    /** Windows side by side. */
    public AvgPool3d(long kernel) {
        this(kernel, new PoolOptions());
    }

    /** With a step. */
    public AvgPool3d(long kernel, long stride) {
        this(kernel, new PoolOptions().stride(stride));
    }

    /** With a step and a padding. */
    public AvgPool3d(long kernel, long stride, long padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /** With a step, a padding, whether the last window may reach beyond the end, and whether padding counts. */
    public AvgPool3d(long kernel, long stride, long padding, boolean ceilMode, boolean countIncludePad) {
        this(kernel, new PoolOptions().stride(stride).padding(padding).ceilMode(ceilMode)
                .countIncludePad(countIncludePad));
    }

    /** With options by name. */
    public AvgPool3d(long kernel, PoolOptions options) {
        this(new long[]{kernel}, options);
    }

    /** Windows of their own size in each dimension, side by side. */
    public AvgPool3d(long[] kernel) {
        this(kernel, new PoolOptions());
    }

    /** With a size, a step and a padding for each dimension. */
    public AvgPool3d(long[] kernel, long[] stride, long[] padding) {
        this(kernel, new PoolOptions().stride(stride).padding(padding));
    }

    /** With a size for each dimension, and options by name. */
    public AvgPool3d(long[] kernel, PoolOptions options) {
        super(3, kernel, options);
        countIncludePad = options.countIncludePad;
        divisorOverride = options.divisorOverride;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool3d(input, kernel, stride, padding, ceilMode, countIncludePad, divisorOverride);
    }
}
