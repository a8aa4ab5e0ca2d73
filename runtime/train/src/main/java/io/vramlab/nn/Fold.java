package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Columns [n, c kh kw, windows] summed into [n, c, h, w]: what {@link Unfold} took apart, overlaps added. The inverse
 * of the shapes, PyTorch's {@code Fold}: backward holds nothing.
 */
public class Fold extends Module {

    private final long[] size;
    private final long[] kernel;
    private final long[] dilation;
    private final long[] padding;
    private final long[] stride;

    /**
     * Into a square, windows of that size at every place.
     *
     * @param outputSize
     *            height and width of the output
     * @param kernel
     *            height and width of a window
     */
    public Fold(long outputSize, long kernel) {
        this(new long[]{outputSize}, new long[]{kernel}, new long[]{1}, new long[]{0}, new long[]{1});
    }

    /**
     * Into a height and a width, windows of those sizes at every place.
     *
     * @param outputSize
     *            {height, width}, or one number for both
     * @param kernel
     *            {height, width} of a window, or one number for both
     */
    public Fold(long[] outputSize, long[] kernel) {
        this(outputSize, kernel, new long[]{1}, new long[]{0}, new long[]{1});
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param outputSize
     *            {height, width}, or one number for both, as all of these
     * @param kernel
     *            size of a window
     * @param dilation
     *            from one element of a window to the next; 1 by default
     * @param padding
     *            of the output on each side, cut off again; 0 by default
     * @param stride
     *            from one window to the next; 1 by default
     */
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
