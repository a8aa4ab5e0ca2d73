package io.vramlab.device.internal.cpu.kernels.math;

/**
 * The error function in double, to about 1e-15: the Maclaurin series with all terms positive (Abramowitz and Stegun
 * 7.1.6) near zero, the continued fraction of erfc (7.1.14) beyond.
 */
final class Erf {

    private static final double TWO_OVER_SQRT_PI = 2 / Math.sqrt(Math.PI);
    private static final double SWITCH = 2.5;
    private static final int FRACTION_TERMS = 60;

    private Erf() {
    }

    /** erf(x). */
    static double erf(double x) {
        return Math.abs(x) < SWITCH ? series(x) : x > 0 ? 1 - tail(x) : x < 0 ? tail(-x) - 1 : x;
    }

    /** 1 - erf(x), with small results relatively exact. */
    static double erfc(double x) {
        return x >= SWITCH ? tail(x) : x <= -SWITCH ? 2 - tail(-x) : 1 - series(x);
    }

    private static double series(double x) {
        double square = x * x;
        double term = x;
        double sum = x;
        for (int n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
            term *= 2 * square / (2 * n + 1);
            sum += term;
        }
        return TWO_OVER_SQRT_PI * Math.exp(-square) * sum;
    }

    private static double tail(double x) {
        if (x > 27) {
            return 0;
        }
        double fraction = x;
        for (int k = FRACTION_TERMS; k >= 1; k--) {
            fraction = x + k / 2.0 / fraction;
        }
        return Math.exp(-x * x) / (fraction * Math.sqrt(Math.PI));
    }
}
