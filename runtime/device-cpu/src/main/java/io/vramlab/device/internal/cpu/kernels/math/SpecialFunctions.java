package io.vramlab.device.internal.cpu.kernels.math;

/** Functions that the JDK lacks, to about the precision of a double unless their line says otherwise. */
final class SpecialFunctions {

    private static final double[] LANCZOS = {0.99999999999980993, 676.5203681218851, -1259.1392167224028,
            771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
            1.5056327351493116e-7};

    private SpecialFunctions() {
    }

    /** Logarithm of |gamma(x)|: Lanczos' series, g = 7, n = 9. */
    static double lgamma(double x) {
        if (x <= 0 && x == Math.floor(x)) {
            return Double.POSITIVE_INFINITY;
        }
        if (x == 1 || x == 2) {
            return 0;
        }
        if (x < 0.5) {
            return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x);
        }
        double z = x - 1;
        double sum = LANCZOS[0];
        for (int i = 1; i < LANCZOS.length; i++) {
            sum += LANCZOS[i] / (z + i);
        }
        double t = z + 7.5;
        return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
    }

    /** Derivative of lgamma: recurrence up to 10, then the asymptotic series. */
    static double digamma(double x) {
        if (x == 0) {
            return Math.copySign(Double.POSITIVE_INFINITY, -x);
        }
        if (x < 0) {
            return x == Math.floor(x) ? Double.NaN : digamma(1 - x) - Math.PI / Math.tan(Math.PI * x);
        }
        double below = 0;
        double y = x;
        while (y < 10) {
            below -= 1 / y;
            y += 1;
        }
        double q = 1 / (y * y);
        double series = q * (1 / 12.0 - q * (1 / 120.0 - q * (1 / 252.0 - q * (1 / 240.0 - q / 132.0))));
        return below + Math.log(y) - 0.5 / y - series;
    }

    /** Derivative of digamma: recurrence up to 10, then the asymptotic series. */
    static double trigamma(double x) {
        if (x < 0.5) {
            double sine = Math.sin(Math.PI * x);
            return Math.PI * Math.PI / (sine * sine) - trigamma(1 - x);
        }
        double below = 0;
        double y = x;
        while (y < 10) {
            below += 1 / (y * y);
            y += 1;
        }
        double q = 1 / (y * y);
        double series = q * (1 / 6.0 - q * (1 / 30.0 - q * (1 / 42.0 - q * (1 / 30.0 - q * 5 / 66.0))));
        return below + 1 / y + 0.5 * q + series / y;
    }

    /** Modified Bessel functions of the first kind by their power series, all terms positive. */
    static double bessel(int order, double x) {
        double half = x / 2;
        double term = order == 0 ? 1 : half;
        double sum = term;
        for (int k = 1; k < 1000 && Math.abs(term) > Math.abs(sum) * 1e-17; k++) {
            term *= half * half / (k * (double) (k + order));
            sum += term;
        }
        return sum;
    }

    /** Inverse of erf: Giles' approximation, then two steps of Newton's method. */
    static double erfInv(double y) {
        if (!(Math.abs(y) < 1)) {
            return Math.abs(y) == 1 ? Math.copySign(Double.POSITIVE_INFINITY, y) : Double.NaN;
        }
        double w = -Math.log((1 - y) * (1 + y));
        double x;
        if (w < 5) {
            double v = w - 2.5;
            double p = 2.81022636e-08;
            for (double c : new double[]{3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                    -0.00125372503, -0.00417768164, 0.246640727, 1.50140941}) {
                p = c + p * v;
            }
            x = p * y;
        } else {
            double v = Math.sqrt(w) - 3;
            double p = -0.000200214257;
            for (double c : new double[]{0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                    0.00943887047, 1.00167406, 2.83297682}) {
                p = c + p * v;
            }
            x = p * y;
        }
        for (int i = 0; i < 2; i++) {
            x -= (Erf.erf(x) - y) / (2 / Math.sqrt(Math.PI) * Math.exp(-x * x));
        }
        return x;
    }

    static double logit(double x, double eps) {
        double z = eps < 0 ? x : Math.min(Math.max(x, eps), 1 - eps);
        return Math.log(z / (1 - z));
    }

    static double logitBackward(double g, double x, double eps) {
        return eps < 0
                ? x < 0 || x > 1 ? Double.NaN : g / (x * (1 - x))
                : x < eps || x > 1 - eps ? 0 : g / (x * (1 - x));
    }

    static double logAddExp2(double a, double b) {
        if (a == b && Double.isInfinite(a)) {
            return a;
        }
        return Math.max(a, b) + Math.log1p(Math.pow(2, -Math.abs(a - b))) / Math.log(2);
    }
}
