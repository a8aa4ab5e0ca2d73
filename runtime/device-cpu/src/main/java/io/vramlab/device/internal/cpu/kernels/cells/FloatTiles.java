package io.vramlab.device.internal.cpu.kernels.cells;

/** Loops over float arrays that several kernels share. */
public final class FloatTiles {

    private FloatTiles() {
    }

    /** The sum of the first {@code n}, gathered in double in eight ways. */
    public static double sum(float[] v, int n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int i = 0;
        for (; i + 8 <= n; i += 8) {
            s0 += v[i];
            s1 += v[i + 1];
            s2 += v[i + 2];
            s3 += v[i + 3];
            s4 += v[i + 4];
            s5 += v[i + 5];
            s6 += v[i + 6];
            s7 += v[i + 7];
        }
        double rest = 0;
        for (; i < n; i++) {
            rest += v[i];
        }
        return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)) + rest;
    }
}
