package io.vramlab.bench;

import io.vramlab.device.Device;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.Locale;

/** Times square float32 products on the simulated GPU beside three plain loops, for people to run; no test. */
public final class GemmBench {

    private static final int RUNS = 15;

    private GemmBench() {
    }

    /** No arguments. */
    public static void main(String[] args) {
        Device.set(Device.simulated("1GiB"));
        for (int n : new int[]{256, 512, 1024, 2048}) {
            double[] ours = new double[RUNS];
            try (Scope all = Scope.open()) {
                Tensor a = Tensor.randn(n, n);
                Tensor b = Tensor.randn(n, n);
                for (int r = 0; r < RUNS; r++) {
                    long start = System.nanoTime();
                    a.matmul(b).close();
                    ours[r] = 2.0 * n * n * n / (System.nanoTime() - start);
                }
            }
            Arrays.sort(ours);
            System.out.printf(Locale.ROOT, "n=%d: median %.1f, best %.1f GFLOP/s; three loops %.1f GFLOP/s%n", n,
                    ours[RUNS / 2], ours[RUNS - 1], n > 1024 ? Double.NaN : loops(n));
        }
    }

    private static double loops(int n) {
        float[] a = new float[n * n];
        float[] b = new float[n * n];
        float[] c = new float[n * n];
        Arrays.fill(a, 1);
        Arrays.fill(b, 2);
        long start = System.nanoTime();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
        return 2.0 * n * n * n / (System.nanoTime() - start);
    }
}
