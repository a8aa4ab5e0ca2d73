package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Divides [n, channels, …] by (k + alpha mean of the squares of size neighbouring channels)^beta (Krizhevsky et al.,
 * 2012). Composed as in PyTorch: backward holds the input and several intermediate results of its size. Needs three
 * dimensions or more.
 */
public class LocalResponseNorm extends Module {

    private final long size;
    private final double alpha;
    private final double beta;
    private final double k;

    /**
     * With alpha 1e-4, beta 0.75 and k 1.
     *
     * @param size
     *            of the window of channels
     */
    public LocalResponseNorm(long size) {
        this(size, 1e-4, 0.75, 1);
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param size
     *            of the window of channels
     * @param alpha
     *            factor of the mean; 1e-4 by default
     * @param beta
     *            exponent; 0.75 by default
     * @param k
     *            added to the mean; 1 by default
     */
    public LocalResponseNorm(long size, double alpha, double beta, double k) {
        this.size = size;
        this.alpha = alpha;
        this.beta = beta;
        this.k = k;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.localResponseNorm(input, size, alpha, beta, k);
    }

    @Override
    protected String extraRepr() {
        return size + ", alpha=" + Numbers.text(alpha) + ", beta=" + Numbers.text(beta) + ", k=" + Numbers.text(k);
    }
}
