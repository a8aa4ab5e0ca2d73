package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Sliding windows of [n, c, h, w] as columns: [n, c kh kw, windows]. PyTorch's {@code Unfold}: backward holds
 * nothing.
 */
public class Unfold extends Module {

    private final long[] kernel;
    private final long[] dilation;
    private final long[] padding;
    private final long[] stride;

    /**
     * Windows of that size at every place.
     *
     * @param kernel
     *            height and width of a window
     */
    public Unfold(long kernel) {
        this(kernel, 1, 0, 1);
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param kernel
     *            height and width of a window
     * @param dilation
     *            from one element of a window to the next; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param stride
     *            from one window to the next; 1 by default
     */
    public Unfold(long kernel, long dilation, long padding, long stride) {
        this(new long[]{kernel}, new long[]{dilation}, new long[]{padding}, new long[]{stride});
    }

    /**
     * With all, each dimension its own.
     *
     * @param kernel
     *            {height, width} of a window, or one number for both, as all of these
     * @param dilation
     *            from one element of a window to the next
     * @param padding
     *            zeros on each side
     * @param stride
     *            from one window to the next
     */
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
