package io.vramlab.device.internal.cpu.kernels.math;

/**
 * Elementary functions in float, to about one unit in the last place. They consist of additions, multiplications and
 * fused multiply-adds alone, so they give the same bits wherever they run: interpreted, compiled, in vector lanes, or on
 * a GPU. The polynomials are those of the Cephes library (S. Moshier).
 */
public final class FloatMath {

    static final float LOG2_E = 1.44269504088896341f;
    static final float LN2_HIGH = 0.693359375f;
    static final float LN2_LOW = -2.12194440e-4f;
    /** Adding and subtracting it rounds to an integer. */
    static final float ROUND = 12582912f;
    static final float EXP_HIGHEST = 89f;
    static final float EXP_LOWEST = -104f;
    static final float E0 = 1.9875691500e-4f;
    static final float E1 = 1.3981999507e-3f;
    static final float E2 = 8.3334519073e-3f;
    static final float E3 = 4.1665795894e-2f;
    static final float E4 = 1.6666665459e-1f;
    static final float E5 = 5.0000001201e-1f;

    private static final float HALF_PI = 1.57079632679489662f;
    private static final int SQRT_HALF_BITS = 0x3f3504f3;

    /** Hyperbolic tangent: an odd polynomial up to here, exponentials beyond. */
    static final float TANH_SWITCH = 0.625f;
    static final float T0 = -5.70498872745e-3f;
    static final float T1 = 2.06390887954e-2f;
    static final float T2 = -5.37397155531e-2f;
    static final float T3 = 1.33314422036e-1f;
    static final float T4 = -3.33332819422e-1f;

    // (erf(x) / x - 1) in powers of x * x up to 1; fitted at Chebyshev nodes
    static final float N0 = 0.12837916612625122f;
    static final float N1 = -0.3761262595653534f;
    static final float N2 = 0.11283597350120544f;
    static final float N3 = -0.02685432881116867f;
    static final float N4 = 0.005189312156289816f;
    static final float N5 = -0.0008018855005502701f;
    static final float N6 = 7.882497448008507e-05f;
    // -log(1 - erf(x)) / x in powers of x from 1 to 3.95, where erf is 1 to float's precision; fitted likewise
    static final float F0 = 1.1287667751312256f;
    static final float F1 = 0.6347226500511169f;
    static final float F2 = 0.10684239119291306f;
    static final float F3 = -0.0241622906178236f;
    static final float F4 = 0.0037384501192718744f;
    static final float F5 = -0.000297307240543887f;
    static final float F6 = -8.97579320735531e-06f;
    static final float F7 = 4.120490302739199e-06f;
    static final float F8 = -2.616936569665995e-07f;
    static final float ERF_ONE = 3.95f;

    private FloatMath() {
    }

    /** Hyperbolic tangent. */
    static float tanh(float x) {
        float a = Math.abs(x);
        float z = x * x;
        float p = Math.fma(T0, z, T1);
        p = Math.fma(p, z, T2);
        p = Math.fma(p, z, T3);
        p = Math.fma(p, z, T4);
        float near = Math.fma(p * z, x, x);
        float far = 1 - 2 / (exp(a + a) + 1);
        return a < TANH_SWITCH ? near : x < 0 ? -far : far;
    }

    /** 1 / (1 + exp(-x)). */
    static float sigmoid(float x) {
        return 1 / (1 + exp(-x));
    }

    /** The error function. */
    static float erf(float x) {
        float a = Math.abs(x);
        float s = x * x;
        float p = Math.fma(N6, s, N5);
        p = Math.fma(p, s, N4);
        p = Math.fma(p, s, N3);
        p = Math.fma(p, s, N2);
        p = Math.fma(p, s, N1);
        p = Math.fma(p, s, N0);
        float near = Math.fma(p, x, x);
        float t = Math.min(a, ERF_ONE);
        float q = Math.fma(F8, t, F7);
        q = Math.fma(q, t, F6);
        q = Math.fma(q, t, F5);
        q = Math.fma(q, t, F4);
        q = Math.fma(q, t, F3);
        q = Math.fma(q, t, F2);
        q = Math.fma(q, t, F1);
        q = Math.fma(q, t, F0);
        float far = 1 - exp(-t * q);
        return a < 1 ? near : x < 0 ? -far : far;
    }

    /** e to the x; NaN stays, too large gives infinity, too small 0. */
    static float exp(float x) {
        float y = Math.min(Math.max(x, EXP_LOWEST), EXP_HIGHEST);
        float k = Math.fma(y, LOG2_E, ROUND) - ROUND;
        float r = Math.fma(k, -LN2_LOW, Math.fma(k, -LN2_HIGH, y));
        float p = Math.fma(E0, r, E1);
        p = Math.fma(p, r, E2);
        p = Math.fma(p, r, E3);
        p = Math.fma(p, r, E4);
        p = Math.fma(p, r, E5);
        p = Math.fma(p, r * r, r) + 1;
        // 2^k in two factors, since neither end of its range fits one
        int n = (int) k;
        int half = n >> 1;
        return p * power2(half) * power2(n - half);
    }

    private static float power2(int n) {
        return Float.intBitsToFloat((n + 127) << 23);
    }

    /** Natural logarithm of a positive normal number. Without branches: on random numbers each would be a coin toss. */
    public static float logOfNormal(float x) {
        int bits = Float.floatToRawIntBits(x);
        int mantissa = bits & 0x7fffff | 0x3f000000;
        // 1 where the mantissa, between 0.5 and 1, is below the square root of a half: then it is doubled
        int low = mantissa - SQRT_HALF_BITS >>> 31;
        float e = (bits >> 23) - 126 - low;
        float m = Float.intBitsToFloat(mantissa + (low << 23)) - 1;
        float z = m * m;
        float p = Math.fma(7.0376836292e-2f, m, -1.1514610310e-1f);
        p = Math.fma(p, m, 1.1676998740e-1f);
        p = Math.fma(p, m, -1.2420140846e-1f);
        p = Math.fma(p, m, 1.4249322787e-1f);
        p = Math.fma(p, m, -1.6668057665e-1f);
        p = Math.fma(p, m, 2.0000714765e-1f);
        p = Math.fma(p, m, -2.4999993993e-1f);
        p = Math.fma(p, m, 3.3333331174e-1f);
        float y = m * z * p;
        y = Math.fma(e, LN2_LOW, y);
        y = Math.fma(-0.5f, z, y);
        return Math.fma(e, LN2_HIGH, m + y);
    }

    /** Which quarter of a full turn the fraction {@code 0 <= u < 1} is nearest to the start of, 0 to 4. */
    public static int quarterOfTurn(float u) {
        return (int) Math.fma(u, 4f, 0.5f);
    }

    /** The angle from there, between -pi/4 and pi/4. */
    public static float restOfTurn(float u, int quarter) {
        return Math.fma(u, 4f, -quarter) * HALF_PI;
    }

    /** Sine of a quarter and a rest, given the rest's sine and cosine. */
    public static float sinOfTurn(int quarter, float sin, float cos) {
        return Float.intBitsToFloat(choose(quarter, sin, cos) ^ (quarter & 2) << 30);
    }

    /** Cosine of a quarter and a rest, given the rest's sine and cosine. */
    public static float cosOfTurn(int quarter, float sin, float cos) {
        return Float.intBitsToFloat(choose(quarter, cos, sin) ^ (quarter + 1 & 2) << 30);
    }

    private static int choose(int quarter, float even, float odd) {
        int mask = -(quarter & 1);
        return Float.floatToRawIntBits(even) & ~mask | Float.floatToRawIntBits(odd) & mask;
    }

    /** Sine between -pi/4 and pi/4. */
    public static float sin(float r) {
        float z = r * r;
        float p = Math.fma(-1.9515295891e-4f, z, 8.3321608736e-3f);
        p = Math.fma(p, z, -1.6666654611e-1f);
        return Math.fma(p * z, r, r);
    }

    /** Cosine between -pi/4 and pi/4. */
    public static float cos(float r) {
        float z = r * r;
        float p = Math.fma(2.443315711809948e-5f, z, -1.388731625493765e-3f);
        p = Math.fma(p, z, 4.166664568298827e-2f);
        return Math.fma(p * z, z, Math.fma(-0.5f, z, 1f));
    }
}
