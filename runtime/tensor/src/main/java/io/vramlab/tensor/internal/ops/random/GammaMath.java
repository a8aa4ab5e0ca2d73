package io.vramlab.tensor.internal.ops.random;

import java.util.SplittableRandom;

/** Gamma and Dirichlet draws, and how they change with their parameters, on the host. */
final class GammaMath {

    private static final double SMALL_STEP = 1e-4;
    private static final int MOST_TERMS = 10_000;
    private static final double ENOUGH = 1e-16;

    private GammaMath() {
    }

    /** A draw with that shape and rate 1, as Marsaglia and Tsang do it ("A simple method for generating gamma variables", 2000). */
    static double draw(SplittableRandom random, double alpha) {
        if (alpha < 1) {
            return draw(random, alpha + 1) * Math.pow(1 - random.nextDouble(), 1 / alpha);
        }
        double d = alpha - 1. / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = Math.pow(1 + c * x, 3);
            if (v > 0 && Math.log(1 - random.nextDouble()) < .5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }

    /** How a draw moves with its shape: the slope of the distribution function, over the density. */
    static double slope(double alpha, double x) {
        double h = SMALL_STEP * alpha;
        double df = (lower(alpha + h, x) - lower(alpha - h, x)) / (2 * h);
        double density = Math.exp((alpha - 1) * Math.log(x) - x - logGamma(alpha));
        return -df / density;
    }

    /** How a beta draw moves with its first shape, over 1 - x: what {@code torch._dirichlet_grad} gives. */
    static double betaSlope(double x, double alpha, double total) {
        double beta = total - alpha;
        double h = SMALL_STEP * alpha;
        double df = (betaLower(alpha + h, beta, x) - betaLower(alpha - h, beta, x)) / (2 * h);
        double density = Math.exp((alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x) - logGamma(alpha)
                - logGamma(beta) + logGamma(total));
        return -df / density / (1 - x);
    }

    /** Lanczos' approximation with g = 7 and nine terms. */
    static double logGamma(double x) {
        double[] c = {0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
                -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
                1.5056327351493116e-7};
        if (x < .5) {
            return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
        }
        double sum = c[0];
        for (int i = 1; i < c.length; i++) {
            sum += c[i] / (x - 1 + i);
        }
        double t = x + 6.5;
        return .5 * Math.log(2 * Math.PI) + (x - .5) * Math.log(t) - t + Math.log(sum);
    }

    /** The regularized lower incomplete gamma function: by its series below a + 1, by its continued fraction above. */
    static double lower(double a, double x) {
        double front = Math.exp(a * Math.log(x) - x - logGamma(a));
        if (x < a + 1) {
            double term = 1 / a;
            double sum = term;
            for (int n = 1; n < MOST_TERMS && term > sum * ENOUGH; n++) {
                term *= x / (a + n);
                sum += term;
            }
            return front * sum;
        }
        double tiny = 1e-300;
        double b = x + 1 - a;
        double c = 1 / tiny;
        double d = 1 / b;
        double h = d;
        for (int i = 1; i < MOST_TERMS; i++) {
            double an = -i * (i - a);
            b += 2;
            d = 1 / notZero(an * d + b, tiny);
            c = notZero(b + an / c, tiny);
            h *= d * c;
            if (Math.abs(d * c - 1) < ENOUGH) {
                break;
            }
        }
        return 1 - front * h;
    }

    /** The regularized incomplete beta function, by its continued fraction. */
    static double betaLower(double a, double b, double x) {
        double front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logGamma(a) - logGamma(b) + logGamma(a + b));
        return x < (a + 1) / (a + b + 2)
                ? front * betaFraction(a, b, x) / a
                : 1 - front * betaFraction(b, a, 1 - x) / b;
    }

    private static double betaFraction(double a, double b, double x) {
        double tiny = 1e-300;
        double c = 1;
        double d = 1 / notZero(1 - (a + b) * x / (a + 1), tiny);
        double h = d;
        for (int m = 1; m < MOST_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / notZero(1 + even * d, tiny);
            c = notZero(1 + even / c, tiny);
            h *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / notZero(1 + odd * d, tiny);
            c = notZero(1 + odd / c, tiny);
            h *= d * c;
            if (Math.abs(d * c - 1) < ENOUGH) {
                break;
            }
        }
        return h;
    }

    private static double notZero(double x, double tiny) {
        return Math.abs(x) < tiny ? tiny : x;
    }
}
