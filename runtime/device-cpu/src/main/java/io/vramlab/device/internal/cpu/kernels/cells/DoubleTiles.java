package io.vramlab.device.internal.cpu.kernels.cells;

/** Sums over double arrays in eight ways at once, so that additions need not wait for each other. */
public final class DoubleTiles {

    private DoubleTiles() {
    }

    /** The sum of the first {@code n}. */
    public static double sum(double[] v, int n) {
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

    /** The sum of the squares of the first {@code n} values' distances to a centre. */
    public static double squares(double[] v, int n, double centre) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            s0 += (v[i] - centre) * (v[i] - centre);
            s1 += (v[i + 1] - centre) * (v[i + 1] - centre);
            s2 += (v[i + 2] - centre) * (v[i + 2] - centre);
            s3 += (v[i + 3] - centre) * (v[i + 3] - centre);
        }
        double rest = 0;
        for (; i < n; i++) {
            rest += (v[i] - centre) * (v[i] - centre);
        }
        return (s0 + s1) + (s2 + s3) + rest;
    }
}
