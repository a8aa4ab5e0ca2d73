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

    /** exp(x^2) * erfc(x): to the right of 1 the continued fraction alone, so that nothing overflows. */
    static double erfcx(double x) {
        double distance = Math.abs(x);
        if (distance < 1) {
            return Math.exp(x * x) - TWO_OVER_SQRT_PI * sum(x);
        }
        // the nearer to 0, the more terms: 220 at 1, where the fraction is slowest
        double right = 1 / (fraction(distance, 20 + (int) (200 / (x * x))) * Math.sqrt(Math.PI));
        if (x > 0) {
            return right;
        }
        if (x < -27) {
            return Double.POSITIVE_INFINITY;
        }
        // what rounding took from the square counts: the exponential makes it hundreds of times as large
        double square = x * x;
        return 2 * Math.exp(square) * (1 + Math.fma(x, x, -square)) - right;
    }

    private static double series(double x) {
        return TWO_OVER_SQRT_PI * Math.exp(-x * x) * sum(x);
    }

    /** The series less its factor: x + 2/3 x^3 + 4/15 x^5 ... */
    private static double sum(double x) {
        double square = x * x;
        double term = x;
        double sum = x;
        for (int n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
            term *= 2 * square / (2 * n + 1);
            sum += term;
        }
        return sum;
    }

    private static double tail(double x) {
        if (x > 27) {
            return 0;
        }
        return Math.exp(-x * x) / (fraction(x, FRACTION_TERMS) * Math.sqrt(Math.PI));
    }

    private static double fraction(double x, int terms) {
        double fraction = x;
        for (int k = terms; k >= 1; k--) {
            fraction = x + k / 2.0 / fraction;
        }
        return fraction;
    }
}
