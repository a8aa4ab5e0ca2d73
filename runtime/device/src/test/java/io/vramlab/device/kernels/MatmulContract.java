package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.kernels.HostTensor.Layout;
import org.junit.jupiter.api.Test;

/**
 * Matrix products against three loops. A sum of k products near 1, added up one after another in float, errs by up to k
 * roundings of a value near its square root; bounds are in multiples of k.
 */
interface MatmulContract extends KernelsHarness {

    private static double[] product(HostTensor a, HostTensor b, int batch, int m, int n, int k) {
        double[] c = new double[batch * m * n];
        for (int p = 0; p < batch; p++) {
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int l = 0; l < k; l++) {
                        sum += a.values()[(p * m + i) * k + l] * b.values()[(p * k + l) * n + j];
                    }
                    c[(p * m + i) * n + j] = sum;
                }
            }
        }
        return c;
    }

    @Test
    default void productsOfAnySizeLayoutAndDtypeEqualThreeLoops() {
        int[][] sizes = {{1, 1, 1}, {2, 3, 5}, {6, 32, 256}, {7, 33, 257}, {100, 5, 64}, {5, 100, 64}, {1, 70, 300},
                {64, 1, 9}, {130, 131, 40}};
        for (int[] s : sizes) {
            for (DType dtype : FLOATS) {
                for (Layout layout : Layout.values()) {
                    HostTensor a = random(dtype, layout, 1, s[0], s[2]);
                    HostTensor b = random(dtype, layout == Layout.SPREAD ? Layout.TRANSPOSED : layout, 2, s[2], s[1]);
                    HostTensor c = empty(dtype, layout, s[0], s[1]);
                    kernels().matmul(c.operand(), a.operand(), b.operand(), 1, 0, 0);
                    KernelsHarness.assertClose(dtype, product(a, b, 1, s[0], s[1], s[2]), c.read(), 4,
                            s[2] + 2, s[0] + "x" + s[1] + "x" + s[2] + " " + dtype + " " + layout);
                }
            }
        }
    }

    @Test
    default void aBatchMultipliesEachPairAndAddsTheOldValue() {
        for (DType dtype : new DType[]{DType.FLOAT32, DType.FLOAT64}) {
            HostTensor a = random(dtype, Layout.CONTIGUOUS, 3, 5, 12, 20);
            HostTensor b = random(dtype, Layout.CONTIGUOUS, 4, 5, 20, 17);
            HostTensor c = random(dtype, Layout.CONTIGUOUS, 5, 5, 12, 17);
            kernels().matmul(c.operand(), a.operand(), b.operand(), 0.5, 2, 0);
            double[] expected = product(a, b, 5, 12, 17, 20);
            for (int i = 0; i < expected.length; i++) {
                expected[i] = 0.5 * expected[i] + 2 * c.values()[i];
            }
            KernelsHarness.assertClose(dtype, expected, c.read(), 8, 8, "batch " + dtype);
        }
    }

    @Test
    default void aMatrixSharedByABatchHasStrideZero() {
        HostTensor a = random(DType.FLOAT32, Layout.CONTIGUOUS, 6, 4, 3, 8);
        HostTensor b = random(DType.FLOAT32, Layout.CONTIGUOUS, 7, 8, 6);
        HostTensor c = empty(DType.FLOAT32, Layout.CONTIGUOUS, 4, 3, 6);
        kernels().matmul(c.operand(), a.operand(), b.repeated(4), 1, 0, 0);
        KernelsHarness.assertClose(DType.FLOAT32, product(a, b, 1, 12, 6, 8), c.read(), 8, 4, "shared");
    }

    @Test
    default void anEmptySumIsZero() {
        HostTensor c = empty(DType.FLOAT32, Layout.CONTIGUOUS, 2, 2);
        Operand a = new Operand(0, DType.FLOAT32, new long[]{2, 0}, new long[]{0, 1});
        Operand b = new Operand(0, DType.FLOAT32, new long[]{0, 2}, new long[]{2, 1});
        kernels().matmul(c.operand(), a, b, 1, 0, 0);
        assertArrayEquals(new double[4], c.read());
    }

    @Test
    default void aLargeProductHasTheSameBitsEveryTime() {
        HostTensor a = random(DType.FLOAT32, Layout.CONTIGUOUS, 8, 301, 555);
        HostTensor b = random(DType.FLOAT32, Layout.TRANSPOSED, 9, 555, 411);
        HostTensor c = empty(DType.FLOAT32, Layout.CONTIGUOUS, 301, 411);
        kernels().matmul(c.operand(), a.operand(), b.operand(), 1, 0, 0);
        double[] first = c.read();
        KernelsHarness.assertClose(DType.FLOAT32, product(a, b, 1, 301, 411, 555), first, 4, 555, "large");
        for (int i = 0; i < 5; i++) {
            kernels().matmul(c.operand(), a.operand(), b.operand(), 1, 0, 0);
            assertArrayEquals(first, c.read());
        }
    }
}
