package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Sliding windows of [n, c, h, w] as columns: [n, c kh kw, windows]. */
public final class Unfold extends Module {

    private final long[] kernel;
    private final long[] dilation;
    private final long[] padding;
    private final long[] stride;

    /** Windows of that size at every place. */
    public Unfold(long kernel) {
        this(kernel, 1, 0, 1);
    }

    /** With all, in PyTorch's order. */
    public Unfold(long kernel, long dilation, long padding, long stride) {
        this(new long[]{kernel}, new long[]{dilation}, new long[]{padding}, new long[]{stride});
    }

    /** With all, each dimension its own. */
    public Unfold(long[] kernel, long[] dilation, long[] padding, long[] stride) {
        this.kernel = kernel.clone();
        this.dilation = dilation.clone();
        this.padding = padding.clone();
        this.stride = stride.clone();
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.unfold(input, kernel, dilation, padding, stride);
    }

    @Override
    protected String extraRepr() {
        return "kernel_size=" + Pooling.text(kernel) + ", dilation=" + Pooling.text(dilation) + ", padding="
                + Pooling.text(padding) + ", stride=" + Pooling.text(stride);
    }
}
