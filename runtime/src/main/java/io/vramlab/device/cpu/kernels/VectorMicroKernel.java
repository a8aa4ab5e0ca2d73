package io.vramlab.device.cpu.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The tile in twelve vectors of the machine's widest kind: 6 rows of 32 columns with AVX-512, of 16 with AVX2. Written
 * out, because the vectors stay in registers only as local variables. Named by {@link MicroKernel#best} alone, so that
 * it loads only where the vector module is.
 */
final class VectorMicroKernel implements MicroKernel {

    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int WIDTH = SPECIES.length();

    @Override
    public int columns() {
        return 2 * WIDTH;
    }

    @Override
    public void run(int k, float[] a, int aAt, float[] b, int bAt, float[] c, int cAt, int cStride) {
        FloatVector x0 = FloatVector.zero(SPECIES);
        FloatVector y0 = FloatVector.zero(SPECIES);
        FloatVector x1 = FloatVector.zero(SPECIES);
        FloatVector y1 = FloatVector.zero(SPECIES);
        FloatVector x2 = FloatVector.zero(SPECIES);
        FloatVector y2 = FloatVector.zero(SPECIES);
        FloatVector x3 = FloatVector.zero(SPECIES);
        FloatVector y3 = FloatVector.zero(SPECIES);
        FloatVector x4 = FloatVector.zero(SPECIES);
        FloatVector y4 = FloatVector.zero(SPECIES);
        FloatVector x5 = FloatVector.zero(SPECIES);
        FloatVector y5 = FloatVector.zero(SPECIES);
        int p = aAt;
        int q = bAt;
        for (int l = 0; l < k; l++) {
            FloatVector x = FloatVector.fromArray(SPECIES, b, q);
            FloatVector y = FloatVector.fromArray(SPECIES, b, q + WIDTH);
            FloatVector f;
            f = FloatVector.broadcast(SPECIES, a[p]);
            x0 = f.fma(x, x0);
            y0 = f.fma(y, y0);
            f = FloatVector.broadcast(SPECIES, a[p + 1]);
            x1 = f.fma(x, x1);
            y1 = f.fma(y, y1);
            f = FloatVector.broadcast(SPECIES, a[p + 2]);
            x2 = f.fma(x, x2);
            y2 = f.fma(y, y2);
            f = FloatVector.broadcast(SPECIES, a[p + 3]);
            x3 = f.fma(x, x3);
            y3 = f.fma(y, y3);
            f = FloatVector.broadcast(SPECIES, a[p + 4]);
            x4 = f.fma(x, x4);
            y4 = f.fma(y, y4);
            f = FloatVector.broadcast(SPECIES, a[p + 5]);
            x5 = f.fma(x, x5);
            y5 = f.fma(y, y5);
            p += ROWS;
            q += 2 * WIDTH;
        }
        add(c, cAt, x0, y0);
        add(c, cAt + cStride, x1, y1);
        add(c, cAt + 2 * cStride, x2, y2);
        add(c, cAt + 3 * cStride, x3, y3);
        add(c, cAt + 4 * cStride, x4, y4);
        add(c, cAt + 5 * cStride, x5, y5);
    }

    private static void add(float[] c, int at, FloatVector x, FloatVector y) {
        FloatVector.fromArray(SPECIES, c, at).add(x).intoArray(c, at);
        FloatVector.fromArray(SPECIES, c, at + WIDTH).add(y).intoArray(c, at + WIDTH);
    }
}
