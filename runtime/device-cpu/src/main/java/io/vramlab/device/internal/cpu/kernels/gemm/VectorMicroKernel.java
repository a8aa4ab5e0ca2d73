package io.vramlab.device.internal.cpu.kernels.gemm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The tile in twelve vectors of the machine's widest kind: 6 rows of 32 columns with AVX-512, of 16 with AVX2. Written
 * out, because the vectors stay in registers only as local variables, and as short as it can be: past some size the
 * compiler stops inlining, and one vector method that is not inlined puts a vector on the heap in every turn of the loop. Named by {@link MicroKernel#best} alone, so that
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
        FloatVector x0 = FloatVector.fromArray(SPECIES, c, cAt);
        FloatVector y0 = FloatVector.fromArray(SPECIES, c, cAt + WIDTH);
        FloatVector x1 = FloatVector.fromArray(SPECIES, c, cAt + cStride);
        FloatVector y1 = FloatVector.fromArray(SPECIES, c, cAt + cStride + WIDTH);
        FloatVector x2 = FloatVector.fromArray(SPECIES, c, cAt + 2 * cStride);
        FloatVector y2 = FloatVector.fromArray(SPECIES, c, cAt + 2 * cStride + WIDTH);
        FloatVector x3 = FloatVector.fromArray(SPECIES, c, cAt + 3 * cStride);
        FloatVector y3 = FloatVector.fromArray(SPECIES, c, cAt + 3 * cStride + WIDTH);
        FloatVector x4 = FloatVector.fromArray(SPECIES, c, cAt + 4 * cStride);
        FloatVector y4 = FloatVector.fromArray(SPECIES, c, cAt + 4 * cStride + WIDTH);
        FloatVector x5 = FloatVector.fromArray(SPECIES, c, cAt + 5 * cStride);
        FloatVector y5 = FloatVector.fromArray(SPECIES, c, cAt + 5 * cStride + WIDTH);
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
        x0.intoArray(c, cAt);
        y0.intoArray(c, cAt + WIDTH);
        x1.intoArray(c, cAt + cStride);
        y1.intoArray(c, cAt + cStride + WIDTH);
        x2.intoArray(c, cAt + 2 * cStride);
        y2.intoArray(c, cAt + 2 * cStride + WIDTH);
        x3.intoArray(c, cAt + 3 * cStride);
        y3.intoArray(c, cAt + 3 * cStride + WIDTH);
        x4.intoArray(c, cAt + 4 * cStride);
        y4.intoArray(c, cAt + 4 * cStride + WIDTH);
        x5.intoArray(c, cAt + 5 * cStride);
        y5.intoArray(c, cAt + 5 * cStride + WIDTH);
    }
}
