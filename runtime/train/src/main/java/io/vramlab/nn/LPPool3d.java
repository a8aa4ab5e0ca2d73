package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * The norm of each window of [n, c, d, h, w]: the p-th root of the sum of p-th powers. Composed as in PyTorch:
 * powers, a mean pool, a root.
 */
public class LPPool3d extends Pooling {

    private final double norm;

    /**
     * Windows side by side.
     *
     * @param normType
     *            p, for instance 2
     * @param kernel
     *            size of a window in each dimension
     */
    public LPPool3d(double normType, long kernel) {
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
    public LPPool3d(double normType, long kernel, long stride) {
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
    public LPPool3d(double normType, long kernel, PoolOptions options) {
        super(3, new long[]{kernel}, options);
        this.norm = normType;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.lpPool3d(input, norm, kernel, stride, ceilMode);
    }

    @Override
    protected String extraRepr() {
        return "norm_type=" + Numbers.text(norm) + ", kernel_size=" + text(kernel) + ", stride=" + text(stride)
                + ", ceil_mode=" + (ceilMode ? "True" : "False");
    }
}
