package io.vramlab.device.internal.cpu.kernels.gemm;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;

/** {@link io.vramlab.device.Kernels#matmul}: finds each product of the batch and hands it to the gemm of its type. */
public final class Matmul {

    private final HostAccess host;
    private final Gemm gemm;

    public Matmul(HostAccess host, Gemm gemm) {
        this.host = host;
        this.gemm = gemm;
    }

    public void run(Operand c, Operand a, Operand b, double alpha, double beta) {
        int rank = c.shape().length;
        int m = Math.toIntExact(c.shape()[rank - 2]);
        int n = Math.toIntExact(c.shape()[rank - 1]);
        int k = Math.toIntExact(a.shape()[rank - 1]);
        if (c.count() == 0) {
            return;
        }
        // an empty sum has no memory behind its factors
        Matrix mc = Matrix.of(host, c);
        Matrix ma = k == 0 ? mc : Matrix.of(host, a);
        Matrix mb = k == 0 ? mc : Matrix.of(host, b);
        long batch = c.count() / ((long) m * n);
        Gemm.Batch products = i -> new Gemm.Product(mc.plus(leading(c, i)), ma.plus(leading(a, i)),
                mb.plus(leading(b, i)));
        if (DoubleGemm.serves(c.dtype())) {
            for (long i = 0; i < batch; i++) {
                DoubleGemm.multiply(m, n, k, products.get(i), alpha, beta);
            }
        } else {
            gemm.multiply(batch, m, n, k, products, (float) alpha, (float) beta);
        }
    }

    private static long leading(Operand operand, long index) {
        long at = 0;
        long rest = index;
        for (int d = operand.shape().length - 3; d >= 0; d--) {
            at += rest % operand.shape()[d] * operand.strides()[d];
            rest /= operand.shape()[d];
        }
        return at;
    }
}
