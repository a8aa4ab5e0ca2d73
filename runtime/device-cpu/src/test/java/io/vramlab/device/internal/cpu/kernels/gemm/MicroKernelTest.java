package io.vramlab.device.internal.cpu.kernels.gemm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Matrix products by either kernel. */
class MicroKernelTest {

    private static float[] random(int seed, int n) {
        Random random = new Random(seed);
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static float[] product(Gemm gemm, int m, int n, int k) {
        float[] c = random(3, m * n);
        Gemm.Product product = new Gemm.Product(Matrix.of(c, 0, n), Matrix.of(random(1, m * k), 0, k),
                Matrix.of(random(2, k * n), 0, n));
        gemm.multiply(1, m, n, k, i -> product, 0.5f, 2);
        return c;
    }

    @Test
    void plainLoopsAndVectorsGiveTheSameBits() {
        // the last one is large enough for vectors at once: 300 * 300 * 300 = 27 million multiplications
        for (int[] s : new int[][]{{1, 1, 1}, {6, 32, 7}, {13, 70, 300}, {70, 3, 40}, {300, 300, 300}}) {
            float[] plain = product(new Gemm(PlainMicroKernel::new), s[0], s[1], s[2]);
            Gemm warm = new Gemm(VectorMicroKernel::new);
            product(warm, 300, 300, 300);
            assertArrayEquals(plain, product(warm, s[0], s[1], s[2]));
        }
    }
}
