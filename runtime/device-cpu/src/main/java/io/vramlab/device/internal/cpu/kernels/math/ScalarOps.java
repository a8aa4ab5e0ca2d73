package io.vramlab.device.internal.cpu.kernels.math;

import io.vramlab.device.ElementOp;
import java.util.EnumMap;
import java.util.Map;

/**
 * Every {@link ElementOp} as a function of single doubles: its definition in this package. float64 uses it as it is;
 * float types use it, rounding once at the end, where {@link FloatLoops} has no faster loop of its own.
 */
public final class ScalarOps {

    /** An operation on up to three inputs and two scalars. */
    @FunctionalInterface
    public interface Scalar {
        /** Its value; unused arguments are 0. */
        double apply(double a, double b, double c, double s, double t);
    }

    private static final double SQRT_HALF = Math.sqrt(0.5);
    private static final double INV_SQRT_2PI = 1 / Math.sqrt(2 * Math.PI);
    private static final double SQRT_2_OVER_PI = Math.sqrt(2 / Math.PI);
    private static final double GELU_CUBIC = 0.044715;
    private static final Map<ElementOp, Scalar> TABLE = new EnumMap<>(ElementOp.class);

    static {
        arithmetic();
        unary();
        activations();
        comparisons();
        gradients();
        losses();
        MoreScalarOps.register(ScalarOps::put);
    }

    private ScalarOps() {
    }

    /** The definition of an operation. */
    public static Scalar of(ElementOp op) {
        return TABLE.get(op);
    }

    private static void put(ElementOp op, Scalar scalar) {
        TABLE.put(op, scalar);
    }

    private static double truth(boolean value) {
        return value ? 1 : 0;
    }

    private static void arithmetic() {
        put(ElementOp.COPY, (a, b, c, s, t) -> a);
        put(ElementOp.FILL, (a, b, c, s, t) -> s);
        put(ElementOp.ADD, (a, b, c, s, t) -> a + s * b);
        put(ElementOp.SUB, (a, b, c, s, t) -> a - s * b);
        put(ElementOp.MUL, (a, b, c, s, t) -> a * b);
        put(ElementOp.DIV, (a, b, c, s, t) -> a / b);
        put(ElementOp.ADD_SCALAR, (a, b, c, s, t) -> a + s);
        put(ElementOp.MUL_SCALAR, (a, b, c, s, t) -> a * s);
        put(ElementOp.DIV_SCALAR, (a, b, c, s, t) -> a / s);
        put(ElementOp.RSUB_SCALAR, (a, b, c, s, t) -> s - a);
        put(ElementOp.RDIV_SCALAR, (a, b, c, s, t) -> s / a);
        put(ElementOp.POW_SCALAR, (a, b, c, s, t) -> power(a, s));
        put(ElementOp.POW, (a, b, c, s, t) -> power(a, b));
        put(ElementOp.MAXIMUM, (a, b, c, s, t) -> Math.max(a, b));
        put(ElementOp.MINIMUM, (a, b, c, s, t) -> Math.min(a, b));
        put(ElementOp.ADDCMUL, (a, b, c, s, t) -> a + s * b * c);
        put(ElementOp.ADDCDIV, (a, b, c, s, t) -> a + s * b / c);
        // from the nearer end, as PyTorch: exact at both ends
        put(ElementOp.LERP, (a, b, c, s, t) -> Math.abs(s) < 0.5 ? a + s * (b - a) : b - (b - a) * (1 - s));
        put(ElementOp.WHERE, (a, b, c, s, t) -> a != 0 ? b : c);
        put(ElementOp.MASKED_FILL, (a, b, c, s, t) -> b != 0 ? s : a);
    }

    private static void unary() {
        put(ElementOp.NEG, (a, b, c, s, t) -> -a);
        put(ElementOp.ABS, (a, b, c, s, t) -> Math.abs(a));
        put(ElementOp.SIGN, (a, b, c, s, t) -> sign(a));
        put(ElementOp.RECIPROCAL, (a, b, c, s, t) -> 1 / a);
        put(ElementOp.SQRT, (a, b, c, s, t) -> Math.sqrt(a));
        put(ElementOp.RSQRT, (a, b, c, s, t) -> 1 / Math.sqrt(a));
        put(ElementOp.EXP, (a, b, c, s, t) -> Math.exp(a));
        put(ElementOp.LOG, (a, b, c, s, t) -> Math.log(a));
        put(ElementOp.LOG1P, (a, b, c, s, t) -> Math.log1p(a));
        put(ElementOp.SIN, (a, b, c, s, t) -> Math.sin(a));
        put(ElementOp.COS, (a, b, c, s, t) -> Math.cos(a));
        put(ElementOp.ERF, (a, b, c, s, t) -> Erf.erf(a));
        put(ElementOp.FLOOR, (a, b, c, s, t) -> Math.floor(a));
        put(ElementOp.CEIL, (a, b, c, s, t) -> Math.ceil(a));
        put(ElementOp.ROUND, (a, b, c, s, t) -> Math.rint(a));
        put(ElementOp.CLAMP, (a, b, c, s, t) -> a != a ? a : a < s ? clampHigh(s, t) : a > t ? t : a);
    }

    private static void activations() {
        put(ElementOp.TANH, (a, b, c, s, t) -> Math.tanh(a));
        put(ElementOp.SIGMOID, (a, b, c, s, t) -> sigmoid(a));
        put(ElementOp.RELU, (a, b, c, s, t) -> a < 0 ? 0 : a);
        put(ElementOp.GELU, (a, b, c, s, t) -> a * normal(a));
        put(ElementOp.GELU_TANH, (a, b, c, s, t) -> 0.5 * a * (1 + Math.tanh(geluInner(a))));
        put(ElementOp.SILU, (a, b, c, s, t) -> a * sigmoid(a));
    }

    private static void comparisons() {
        put(ElementOp.EQ, (a, b, c, s, t) -> truth(a == b));
        put(ElementOp.NE, (a, b, c, s, t) -> truth(a != b));
        put(ElementOp.LT, (a, b, c, s, t) -> truth(a < b));
        put(ElementOp.LE, (a, b, c, s, t) -> truth(a <= b));
        put(ElementOp.GT, (a, b, c, s, t) -> truth(a > b));
        put(ElementOp.GE, (a, b, c, s, t) -> truth(a >= b));
        put(ElementOp.EQ_SCALAR, (a, b, c, s, t) -> truth(a == s));
        put(ElementOp.NE_SCALAR, (a, b, c, s, t) -> truth(a != s));
        put(ElementOp.LT_SCALAR, (a, b, c, s, t) -> truth(a < s));
        put(ElementOp.LE_SCALAR, (a, b, c, s, t) -> truth(a <= s));
        put(ElementOp.GT_SCALAR, (a, b, c, s, t) -> truth(a > s));
        put(ElementOp.GE_SCALAR, (a, b, c, s, t) -> truth(a >= s));
        put(ElementOp.AND, (a, b, c, s, t) -> truth(a != 0 && b != 0));
        put(ElementOp.OR, (a, b, c, s, t) -> truth(a != 0 || b != 0));
        put(ElementOp.NOT, (a, b, c, s, t) -> truth(a == 0));
        put(ElementOp.NOT_FINITE, (a, b, c, s, t) -> truth(!Double.isFinite(a)));
    }

    private static void gradients() {
        put(ElementOp.RELU_BACKWARD, (g, r, c, s, t) -> r <= 0 ? 0 : g);
        put(ElementOp.GELU_BACKWARD, (g, x, c, s, t) -> g * (normal(x) + x * INV_SQRT_2PI * Math.exp(-0.5 * x * x)));
        put(ElementOp.GELU_TANH_BACKWARD, (g, x, c, s, t) -> g * geluTanhSlope(x));
        put(ElementOp.TANH_BACKWARD, (g, r, c, s, t) -> g * (1 - r * r));
        put(ElementOp.SIGMOID_BACKWARD, (g, r, c, s, t) -> g * r * (1 - r));
        put(ElementOp.SILU_BACKWARD, (g, x, c, s, t) -> {
            double y = sigmoid(x);
            return g * y * (1 + x * (1 - y));
        });
        put(ElementOp.CLAMP_BACKWARD, (g, x, c, s, t) -> x >= s && x <= t ? g : 0);
        put(ElementOp.ABS_BACKWARD, (g, x, c, s, t) -> g * sign(x));
        put(ElementOp.POW_SCALAR_BACKWARD, (g, x, c, s, t) -> s == 0 ? 0 : g * s * power(x, s - 1));
    }

    private static void losses() {
        // max(x, 0) - x * y + log(1 + exp(-|x|)): never exponentiates a large number
        put(ElementOp.BCE_WITH_LOGITS,
                (x, y, c, s, t) -> (1 - y) * x + Math.max(-x, 0) + Math.log1p(Math.exp(-Math.abs(x))));
        put(ElementOp.SQUARED_ERROR, (x, y, c, s, t) -> (x - y) * (x - y));
        put(ElementOp.SQUARED_ERROR_BACKWARD, (g, x, y, s, t) -> s * (x - y) * g);
        put(ElementOp.ABSOLUTE_ERROR, (x, y, c, s, t) -> Math.abs(x - y));
        put(ElementOp.ABSOLUTE_ERROR_BACKWARD, (g, x, y, s, t) -> s * sign(x - y) * g);
    }

    private static double clampHigh(double low, double high) {
        // with low above high PyTorch answers high
        return low > high ? high : low;
    }

    private static double sign(double a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    /** C's pow, which PyTorch uses: unlike Java's, 1 to any power is 1, and (-1) to an infinite power is 1. */
    static double power(double a, double b) {
        if (a == 1 || a == -1 && Double.isInfinite(b)) {
            return 1;
        }
        return b == 2 ? a * a : Math.pow(a, b);
    }

    static double sigmoid(double a) {
        return 1 / (1 + Math.exp(-a));
    }

    /** The distribution function of the standard normal. */
    private static double normal(double a) {
        return 0.5 * Erf.erfc(-a * SQRT_HALF);
    }

    private static double geluInner(double a) {
        return SQRT_2_OVER_PI * (a + GELU_CUBIC * a * a * a);
    }

    private static double geluTanhSlope(double x) {
        double tanh = Math.tanh(geluInner(x));
        double inner = SQRT_2_OVER_PI * (1 + 3 * GELU_CUBIC * x * x);
        return 0.5 * (1 + tanh) + 0.5 * x * (1 - tanh * tanh) * inner;
    }
}
