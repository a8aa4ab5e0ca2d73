package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Caffe's local response norm of [n, channels, h, w]: x over (k + alpha / size sum of the squares of size channels around)^beta.
 * Computed on the host, whatever the device. Backward holds the input, the result and the sums.
 */
public class CrossMapLRN2d extends Module {

    private final int size;
    private final double alpha;
    private final double beta;
    private final double k;

    /**
     * With alpha 1e-4, beta 0.75 and k 1.
     *
     * @param size
     *            of the window of channels
     */
    public CrossMapLRN2d(int size) {
        this(size, 1e-4, 0.75, 1);
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param size
     *            of the window of channels
     * @param alpha
     *            factor of the sum; 1e-4 by default
     * @param beta
     *            exponent; 0.75 by default
     * @param k
     *            added to the sum; 1 by default
     */
    public CrossMapLRN2d(int size, double alpha, double beta, double k) {
        this.size = size;
        this.alpha = alpha;
        this.beta = beta;
        this.k = k;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.crossMapNorm(input, size, alpha, beta, k);
    }

    @Override
    protected String extraRepr() {
        return size + ", alpha=" + Numbers.text(alpha) + ", beta=" + Numbers.text(beta) + ", k="
                + (k == Math.rint(k) ? String.valueOf((long) k) : Numbers.text(k));
    }
}
