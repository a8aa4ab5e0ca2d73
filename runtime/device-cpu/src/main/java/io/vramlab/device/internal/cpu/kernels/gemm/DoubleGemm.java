package io.vramlab.device.internal.cpu.kernels.gemm;

import io.vramlab.device.DType;
import io.vramlab.device.Interruptible;
import io.vramlab.device.internal.cpu.kernels.cells.DoubleCells;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import java.util.Arrays;

/**
 * {@code c = alpha a b + beta c} in double, row by row: {@code row(c) += a[i][l] * row(b)}, l from first to last. For
 * float64, and for integers through long.
 */
final class DoubleGemm {

    /** Rows of b between two looks for an interrupt. */
    private static final int LOOK = 256;

    private DoubleGemm() {
    }

    /** One product. */
    static void multiply(int m, int n, int k, Gemm.Product p, double alpha, double beta) {
        double[] b = new double[Math.multiplyExact(n, k)];
        for (int l = 0; l < k; l++) {
            look(l);
            DoubleCells.read(p.b().memory(), p.b().dtype(), p.b().first() + l * p.b().rowStride(),
                    p.b().columnStride(), b, l * n, n);
        }
        Parallel.range(m, Math.max(1, Elementwise.GRAIN / Math.max(1, (long) n * k)), (from, to) -> {
            double[] a = new double[k];
            double[] sums = new double[n];
            double[] old = new double[n];
            for (long i = from; i < to; i++) {
                DoubleCells.read(p.a().memory(), p.a().dtype(), p.a().first() + i * p.a().rowStride(),
                        p.a().columnStride(), a, 0, k);
                Arrays.fill(sums, 0);
                for (int l = 0; l < k; l++) {
                    look(l);
                    row(sums, a[l], b, l * n);
                }
                Matrix c = p.c();
                long at = c.first() + i * c.rowStride();
                if (beta != 0) {
                    DoubleCells.read(c.memory(), c.dtype(), at, c.columnStride(), old, 0, n);
                }
                for (int j = 0; j < n; j++) {
                    sums[j] = alpha * sums[j] + (beta == 0 ? 0 : beta * old[j]);
                }
                DoubleCells.write(c.memory(), c.dtype(), at, c.columnStride(), sums, 0, n);
            }
        });
    }

    private static void look(int l) {
        if ((l + 1) % LOOK == 0) {
            Interruptible.check();
        }
    }

    private static void row(double[] sums, double x, double[] b, int at) {
        for (int j = 0; j < sums.length; j++) {
            sums[j] += x * b[at + j];
        }
    }

    /** True for the dtypes that need it. */
    static boolean serves(DType dtype) {
        return dtype == DType.FLOAT64 || !dtype.isFloatingPoint();
    }
}
