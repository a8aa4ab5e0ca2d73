package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Columns [n, c kh kw, windows] summed into [n, c, h, w]: what {@link Unfold} took apart, overlaps added. */
public final class Fold extends Module {

    private final long[] size;
    private final long[] kernel;
    private final long[] dilation;
    private final long[] padding;
    private final long[] stride;

    /** Into a square, windows of that size at every place. */
    public Fold(long outputSize, long kernel) {
        this(new long[]{outputSize}, new long[]{kernel}, new long[]{1}, new long[]{0}, new long[]{1});
    }

    /** Into a height and a width, windows of those sizes at every place. */
    public Fold(long[] outputSize, long[] kernel) {
        this(outputSize, kernel, new long[]{1}, new long[]{0}, new long[]{1});
    }

    /** With all, in PyTorch's order. */
    public Fold(long[] outputSize, long[] kernel, long[] dilation, long[] padding, long[] stride) {
        this.size = outputSize.clone();
        this.kernel = kernel.clone();
        this.dilation = dilation.clone();
        this.padding = padding.clone();
        this.stride = stride.clone();
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.fold(input, size, kernel, dilation, padding, stride);
    }

    @Override
    protected String extraRepr() {
        return "output_size=" + Pooling.text(size) + ", kernel_size=" + Pooling.text(kernel) + ", dilation="
                + Pooling.text(dilation) + ", padding=" + Pooling.text(padding) + ", stride=" + Pooling.text(stride);
    }
}
