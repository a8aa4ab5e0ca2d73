package io.vramlab.device.internal.cpu.kernels.math;

import io.vramlab.device.ElementOp;
import io.vramlab.device.internal.cpu.kernels.math.ScalarOps.Scalar;
import java.util.function.BiConsumer;

/** More of {@link ScalarOps}' definitions: activations beyond the common ones, losses, and functions of mathematics. */
final class MoreScalarOps {

    private MoreScalarOps() {
    }

    /** Hands every definition over. */
    static void register(BiConsumer<ElementOp, Scalar> put) {
        activations(put);
        losses(put);
        functions(put);
        special(put);
    }

    private static void activations(BiConsumer<ElementOp, Scalar> put) {
        put.accept(ElementOp.LEAKY_RELU, (a, b, c, s, t) -> a > 0 ? a : a * s);
        put.accept(ElementOp.LEAKY_RELU_BACKWARD, (a, b, c, s, t) -> b > 0 ? a : a * s);
        put.accept(ElementOp.ELU, (a, b, c, s, t) -> a > 0 ? a * t : Math.expm1(a) * s);
        put.accept(ElementOp.ELU_BACKWARD, (a, b, c, s, t) -> b <= 0 ? a * s * Math.exp(b) : a * t);
        put.accept(ElementOp.ELU_RESULT_BACKWARD, (a, b, c, s, t) -> b <= 0 ? a * (b + s) : a * t);
        put.accept(ElementOp.CELU, (a, b, c, s, t) -> a > 0 ? a : Math.expm1(a / s) * s);
        put.accept(ElementOp.CELU_BACKWARD, (a, b, c, s, t) -> b <= 0 ? a * Math.exp(b / s) : a);
        put.accept(ElementOp.CELU_RESULT_BACKWARD, (a, b, c, s, t) -> b <= 0 ? a / s * (b + s) : a);
        put.accept(ElementOp.SOFTPLUS, (a, b, c, s, t) -> a * s > t ? a : Math.log1p(Math.exp(a * s)) / s);
        put.accept(ElementOp.SOFTPLUS_BACKWARD, (a, b, c, s, t) -> b * s > t ? a : a * sigmoid(b * s));
        put.accept(ElementOp.HARDTANH_BACKWARD, (a, b, c, s, t) -> b <= s || b >= t ? 0 : a);
        put.accept(ElementOp.HARDSWISH, (a, b, c, s, t) -> a * Math.min(Math.max(a + 3, 0), 6) / 6);
        put.accept(ElementOp.HARDSWISH_BACKWARD, (a, b, c, s, t) -> b < -3 ? 0 : b <= 3 ? a * (b / 3 + 0.5) : a);
        put.accept(ElementOp.HARDSIGMOID, (a, b, c, s, t) -> Math.min(Math.max(a + 3, 0), 6) / 6);
        put.accept(ElementOp.HARDSIGMOID_BACKWARD, (a, b, c, s, t) -> b > -3 && b < 3 ? a / 6 : 0);
        put.accept(ElementOp.LOG_SIGMOID, (a, b, c, s, t) -> Math.min(a, 0) - Math.log1p(Math.exp(-Math.abs(a))));
        put.accept(ElementOp.LOG_SIGMOID_BACKWARD, (a, b, c, s, t) -> a * sigmoid(-b));
        put.accept(ElementOp.MISH, (a, b, c, s, t) -> a * Math.tanh(Math.log1p(Math.exp(a))));
        put.accept(ElementOp.MISH_BACKWARD, (a, b, c, s, t) -> a * mishSlope(b));
        put.accept(ElementOp.THRESHOLD, (a, b, c, s, t) -> a <= s ? t : a);
        put.accept(ElementOp.THRESHOLD_BACKWARD, (a, b, c, s, t) -> b <= s ? 0 : a);
        put.accept(ElementOp.SOFTSHRINK, (a, b, c, s, t) -> a > s ? a - s : a < -s ? a + s : 0);
        put.accept(ElementOp.HARDSHRINK, (a, b, c, s, t) -> a >= -s && a <= s ? 0 : a);
        put.accept(ElementOp.SHRINK_BACKWARD, (a, b, c, s, t) -> b >= -s && b <= s ? 0 : a);
        put.accept(ElementOp.PRELU, (a, b, c, s, t) -> a > 0 ? a : a * b);
        put.accept(ElementOp.PRELU_BACKWARD, (a, b, c, s, t) -> b > 0 ? a : a * c);
        put.accept(ElementOp.PRELU_BACKWARD_SLOPE, (a, b, c, s, t) -> b > 0 ? 0 : a * b);
        put.accept(ElementOp.GLU, (a, b, c, s, t) -> a * sigmoid(b));
        put.accept(ElementOp.GLU_BACKWARD_GATE, (a, b, c, s, t) -> a * b * sigmoid(c) * (1 - sigmoid(c)));
    }

    private static void losses(BiConsumer<ElementOp, Scalar> put) {
        put.accept(ElementOp.SMOOTH_L1, (a, b, c, s, t) -> smooth(Math.abs(a - b), s));
        put.accept(ElementOp.SMOOTH_L1_BACKWARD,
                (a, b, c, s, t) -> b - c <= -t ? -s * a : b - c >= t ? s * a : s * (b - c) * a / t);
        put.accept(ElementOp.HUBER, (a, b, c, s, t) -> huber(Math.abs(a - b), s));
        put.accept(ElementOp.HUBER_BACKWARD,
                (a, b, c, s, t) -> b - c <= -t ? -s * a * t : b - c >= t ? s * a * t : s * (b - c) * a);
        put.accept(ElementOp.BCE,
                (a, b, c, s, t) -> (b - 1) * Math.max(Math.log1p(-a), -100) - b * Math.max(Math.log(a), -100));
        put.accept(ElementOp.BCE_BACKWARD, (a, b, c, s, t) -> a * (b - c) / Math.max((1 - b) * b, 1e-12));
        put.accept(ElementOp.XLOGY, (a, b, c, s, t) -> b != b ? b : a == 0 ? 0 : a * Math.log(b));
    }

    private static void functions(BiConsumer<ElementOp, Scalar> put) {
        put.accept(ElementOp.TAN, (a, b, c, s, t) -> Math.tan(a));
        put.accept(ElementOp.SINH, (a, b, c, s, t) -> Math.sinh(a));
        put.accept(ElementOp.COSH, (a, b, c, s, t) -> Math.cosh(a));
        put.accept(ElementOp.ASIN, (a, b, c, s, t) -> Math.asin(a));
        put.accept(ElementOp.ACOS, (a, b, c, s, t) -> Math.acos(a));
        put.accept(ElementOp.ATAN, (a, b, c, s, t) -> Math.atan(a));
        put.accept(ElementOp.ASINH, (a, b, c, s, t) -> Hyperbolic.asinh(a));
        put.accept(ElementOp.ACOSH, (a, b, c, s, t) -> Hyperbolic.acosh(a));
        put.accept(ElementOp.ATANH, (a, b, c, s, t) -> Hyperbolic.atanh(a));
        put.accept(ElementOp.EXP2, (a, b, c, s, t) -> Math.pow(2, a));
        put.accept(ElementOp.EXPM1, (a, b, c, s, t) -> Math.expm1(a));
        put.accept(ElementOp.ERFC, (a, b, c, s, t) -> Erf.erfc(a));
        put.accept(ElementOp.LOG2, (a, b, c, s, t) -> Math.log(a) / Math.log(2));
        put.accept(ElementOp.LOG10, (a, b, c, s, t) -> Math.log10(a));
        put.accept(ElementOp.TRUNC, (a, b, c, s, t) -> trunc(a));
        put.accept(ElementOp.FRAC, (a, b, c, s, t) -> a - trunc(a));
        put.accept(ElementOp.IS_INF, (a, b, c, s, t) -> truth(Math.abs(a) == Double.POSITIVE_INFINITY));
        put.accept(ElementOp.XOR, (a, b, c, s, t) -> truth((a != 0) != (b != 0)));
        put.accept(ElementOp.ATAN2, (a, b, c, s, t) -> Math.atan2(a, b));
        put.accept(ElementOp.HYPOT, (a, b, c, s, t) -> Math.hypot(a, b));
        put.accept(ElementOp.FMOD, (a, b, c, s, t) -> a % b);
        put.accept(ElementOp.REMAINDER, (a, b, c, s, t) -> remainder(a, b));
        put.accept(ElementOp.FMOD_SCALAR, (a, b, c, s, t) -> a % s);
        put.accept(ElementOp.REMAINDER_SCALAR, (a, b, c, s, t) -> remainder(a, s));
        put.accept(ElementOp.FLOOR_DIVIDE, (a, b, c, s, t) -> floorDivide(a, b));
        put.accept(ElementOp.FLOOR_DIVIDE_SCALAR, (a, b, c, s, t) -> floorDivide(a, s));
        put.accept(ElementOp.LOG_ADD_EXP, (a, b, c, s, t) -> logAddExp(a, b));
        put.accept(ElementOp.COPY_SIGN, (a, b, c, s, t) -> Math.copySign(a, b));
        put.accept(ElementOp.LERP_TENSOR, (a, b, c, s, t) -> lerp(a, b, c));
    }

    private static void special(BiConsumer<ElementOp, Scalar> put) {
        put.accept(ElementOp.SINC, (a, b, c, s, t) -> a == 0 ? 1 : Math.sin(Math.PI * a) / (Math.PI * a));
        put.accept(ElementOp.SIGN_BIT, (a, b, c, s, t) -> truth(Double.doubleToRawLongBits(a) < 0));
        put.accept(ElementOp.ERF_INV, (a, b, c, s, t) -> SpecialFunctions.erfInv(a));
        put.accept(ElementOp.ERFCX, (a, b, c, s, t) -> Erf.erfcx(a));
        put.accept(ElementOp.I0, (a, b, c, s, t) -> SpecialFunctions.bessel(0, a));
        put.accept(ElementOp.I1, (a, b, c, s, t) -> SpecialFunctions.bessel(1, a));
        put.accept(ElementOp.LGAMMA, (a, b, c, s, t) -> SpecialFunctions.lgamma(a));
        put.accept(ElementOp.DIGAMMA, (a, b, c, s, t) -> SpecialFunctions.digamma(a));
        put.accept(ElementOp.TRIGAMMA, (a, b, c, s, t) -> SpecialFunctions.trigamma(a));
        put.accept(ElementOp.NAN_TO_NUM,
                (a, b, c, s, t) -> a != a ? 0 : Double.isInfinite(a) ? a > 0 ? s : t : a);
        put.accept(ElementOp.LOGIT, (a, b, c, s, t) -> SpecialFunctions.logit(a, s));
        put.accept(ElementOp.LOGIT_BACKWARD, (a, b, c, s, t) -> SpecialFunctions.logitBackward(a, b, s));
        put.accept(ElementOp.ENTROPY,
                (a, b, c, s, t) -> a > 0 ? -a * Math.log(a) : a == 0 ? 0 : a != a ? a : Double.NEGATIVE_INFINITY);
        put.accept(ElementOp.HEAVISIDE, (a, b, c, s, t) -> a == 0 ? b : a < 0 ? 0 : 1);
        put.accept(ElementOp.LOG_ADD_EXP2, (a, b, c, s, t) -> SpecialFunctions.logAddExp2(a, b));
        put.accept(ElementOp.FMAX, (a, b, c, s, t) -> a != a ? b : b != b ? a : Math.max(a, b));
        put.accept(ElementOp.FMIN, (a, b, c, s, t) -> a != a ? b : b != b ? a : Math.min(a, b));
        put.accept(ElementOp.CLAMP_TENSOR, (a, b, c, s, t) -> Math.min(Math.max(a, b), c));
        put.accept(ElementOp.BIT_AND, (a, b, c, s, t) -> (long) a & (long) b);
        put.accept(ElementOp.BIT_OR, (a, b, c, s, t) -> (long) a | (long) b);
        put.accept(ElementOp.BIT_XOR, (a, b, c, s, t) -> (long) a ^ (long) b);
        put.accept(ElementOp.BIT_NOT, (a, b, c, s, t) -> ~(long) a);
        put.accept(ElementOp.TRUNC_DIVIDE, (a, b, c, s, t) -> trunc(a / b));
    }

    private static double sigmoid(double a) {
        return ScalarOps.sigmoid(a);
    }

    private static double truth(boolean value) {
        return value ? 1 : 0;
    }

    private static double mishSlope(double x) {
        double tanh = Math.tanh(Math.log1p(Math.exp(x)));
        return tanh + x * sigmoid(x) * (1 - tanh * tanh);
    }

    private static double smooth(double distance, double beta) {
        return distance < beta ? 0.5 * distance * distance / beta : distance - 0.5 * beta;
    }

    private static double huber(double distance, double delta) {
        return distance <= delta ? 0.5 * distance * distance : delta * (distance - 0.5 * delta);
    }

    private static double trunc(double a) {
        return a < 0 ? Math.ceil(a) : Math.floor(a);
    }

    private static double remainder(double a, double b) {
        double r = a % b;
        return r != 0 && b < 0 != r < 0 ? r + b : r;
    }

    /** As Python divides: from the exact remainder, so that a quotient just below a whole number stays below. */
    private static double floorDivide(double a, double b) {
        if (b == 0) {
            return a / b;
        }
        double r = a % b;
        double q = (a - r) / b;
        if (r != 0 && b < 0 != r < 0) {
            q -= 1;
        }
        if (q == 0) {
            return Math.copySign(0, a / b);
        }
        double f = Math.floor(q);
        return q - f > 0.5 ? f + 1 : f;
    }

    private static double logAddExp(double a, double b) {
        if (a == b && Double.isInfinite(a)) {
            return a;
        }
        return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
    }

    private static double lerp(double a, double b, double weight) {
        return Math.abs(weight) < 0.5 ? a + weight * (b - a) : b - (b - a) * (1 - weight);
    }
}
