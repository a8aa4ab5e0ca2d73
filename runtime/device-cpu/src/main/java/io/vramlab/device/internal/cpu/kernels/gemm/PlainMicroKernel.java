package io.vramlab.device.internal.cpu.kernels.gemm;

/** The tile in plain loops: for a JVM without the vector module, and for small products. */
final class PlainMicroKernel implements MicroKernel {

    private static final int COLUMNS = 32;

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public void run(int k, float[] a, int aAt, float[] b, int bAt, float[] c, int cAt, int cStride) {
        float[] sums = new float[COLUMNS];
        for (int i = 0; i < ROWS; i++) {
            System.arraycopy(c, cAt + i * cStride, sums, 0, COLUMNS);
            row(k, a, aAt + i, b, bAt, sums);
            System.arraycopy(sums, 0, c, cAt + i * cStride, COLUMNS);
        }
    }

    private static void row(int k, float[] a, int aAt, float[] b, int bAt, float[] sums) {
        for (int l = 0; l < k; l++) {
            float x = a[aAt + l * ROWS];
            int from = bAt + l * COLUMNS;
            for (int j = 0; j < COLUMNS; j++) {
                sums[j] = Math.fma(x, b[from + j], sums[j]);
            }
        }
    }
}
