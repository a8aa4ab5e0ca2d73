package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * The norm of each window of [n, c, h, w]: the p-th root of the sum of p-th powers. Composed as in PyTorch: powers, a
 * mean pool, a root.
 */
public class LPPool2d extends Pooling {

    private final double norm;

    /**
     * Windows side by side.
     *
     * @param normType
     *            p, for instance 2
     * @param kernel
     *            size of a window in each dimension
     */
    public LPPool2d(double normType, long kernel) {
        this(normType, kernel, new PoolOptions());
    }

    /**
     * With a step.
     *
     * @param normType
     *            p, for instance 2
     * @param kernel
     *            size of a window in each dimension
     * @param stride
     *            step; the size of a window by default
     */
    public LPPool2d(double normType, long kernel, long stride) {
        this(normType, kernel, new PoolOptions().stride(stride));
    }

    /**
     * With options by name.
     *
     * @param normType
     *            p, for instance 2
     * @param kernel
     *            size of a window in each dimension
     * @param options
     *            stride, padding and so on by name
     */
    public LPPool2d(double normType, long kernel, PoolOptions options) {
        super(2, new long[]{kernel}, options);
        this.norm = normType;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.lpPool2d(input, norm, kernel, stride, ceilMode);
    }

    @Override
    protected String extraRepr() {
        return "norm_type=" + Numbers.text(norm) + ", kernel_size=" + text(kernel) + ", stride=" + text(stride)
                + ", ceil_mode=" + (ceilMode ? "True" : "False");
    }
}
