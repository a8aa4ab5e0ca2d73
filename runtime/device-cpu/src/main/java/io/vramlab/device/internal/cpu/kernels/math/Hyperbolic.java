package io.vramlab.device.internal.cpu.kernels.math;

/** Inverse hyperbolic functions, which Java lacks. */
final class Hyperbolic {

    private Hyperbolic() {
    }

    /** Odd, and exact near 0: no difference of near numbers is taken. */
    static double asinh(double x) {
        double a = Math.abs(x);
        return Math.copySign(Math.log1p(a + a * a / (1 + Math.sqrt(a * a + 1))), x);
    }

    static double acosh(double x) {
        return Math.log(x + Math.sqrt(x - 1) * Math.sqrt(x + 1));
    }

    static double atanh(double x) {
        return 0.5 * (Math.log1p(x) - Math.log1p(-x));
    }
}
