package io.vramlab.device.kernels;

import io.vramlab.device.ElementOp;
import java.util.function.DoubleUnaryOperator;

/** What each element operation means, in double and with no regard to speed. */
final class ElementReference {

    private ElementReference() {
    }

    /** A definition. */
    interface Definition {
        double apply(double a, double b, double c, double s, double t);
    }

    static boolean writesBool(ElementOp op) {
        return switch (op) {
            case EQ, NE, LT, LE, GT, GE, EQ_SCALAR, NE_SCALAR, LT_SCALAR, LE_SCALAR, GT_SCALAR, GE_SCALAR, AND, OR, NOT,
                    NOT_FINITE, IS_INF, XOR, SIGN_BIT ->
                true;
            default -> false;
        };
    }

    /** True where the definition here is a numerical slope, good to about 1e-11. */
    static boolean isNumerical(ElementOp op) {
        return switch (op) {
            case GELU_TANH_BACKWARD, SILU_BACKWARD, MISH_BACKWARD, ERF_INV, I0, I1, LGAMMA, DIGAMMA, TRIGAMMA -> true;
            default -> false;
        };
    }

    /** The error function by Simpson's rule on its integral. */
    static double erf(double x) {
        if (Double.isNaN(x)) {
            return x;
        }
        if (Math.abs(x) > 7) {
            return Math.signum(x);
        }
        int n = 4000;
        double h = x / n;
        double sum = 1 + Math.exp(-x * x);
        for (int i = 1; i < n; i++) {
            sum += (i % 2 == 1 ? 4 : 2) * Math.exp(-i * h * i * h);
        }
        return 2 / Math.sqrt(Math.PI) * h / 3 * sum;
    }

    private static double phi(double x) {
        if (x < -7) {
            // the first terms of the asymptotic series; 1 + erf would cancel
            double density = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
            return density == 0 ? 0 : density / -x * (1 - 1 / (x * x) + 3 / (x * x * x * x));
        }
        return (1 + erf(x / Math.sqrt(2))) / 2;
    }

    private static double sigmoid(double x) {
        return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
    }

    private static double inner(double x) {
        return Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x);
    }

    private static double bit(boolean b) {
        return b ? 1 : 0;
    }

    /** The slope of a function of one variable, by central differences. */
    private static double slope(DoubleUnaryOperator f, double x) {
        double h = 1e-4;
        // Richardson: the h^2 error of two step widths cancels
        double wide = (f.applyAsDouble(x + 2 * h) - f.applyAsDouble(x - 2 * h)) / (4 * h);
        double narrow = (f.applyAsDouble(x + h) - f.applyAsDouble(x - h)) / (2 * h);
        return (4 * narrow - wide) / 3;
    }

    static double gelu(double x) {
        return x == Double.NEGATIVE_INFINITY ? Double.NaN : x * phi(x);
    }

    static double geluTanh(double x) {
        return x == Double.NEGATIVE_INFINITY ? Double.NaN : 0.5 * x * (1 + Math.tanh(inner(x)));
    }

    static double silu(double x) {
        return x == Double.NEGATIVE_INFINITY ? Double.NaN : x * sigmoid(x);
    }

    private static double mish(double x) {
        return x * Math.tanh(Math.log(1 + Math.exp(x)));
    }

    private static double logAtLeast(double x) {
        return x == 0 ? -100 : Math.max(Math.log(x), -100);
    }

    private static double logit(double p) {
        return Math.log(p / (1 - p));
    }

    /** 2 / sqrt(pi) times the integral of exp(-t^2 - 2xt) over t above 0, by the rule of Takahasi and Mori. */
    private static double erfcx(double x) {
        if (x < -30 || x == Double.POSITIVE_INFINITY) {
            return x < 0 ? Double.POSITIVE_INFINITY : 0;
        }
        if (x < 0) {
            // the square of what a float holds is exact, so that the exponential has no rounding to magnify
            double head = (float) x;
            return 2 * Math.exp(head * head) * Math.exp((x - head) * (x + head)) - erfcx(-x);
        }
        double width = 1 + x;
        double sum = 0;
        for (int i = -160; i <= 96; i++) {
            double u = i / 32.0;
            double t = Math.exp(u - Math.exp(-u));
            sum += Math.exp(-t * t / width / width - 2 * t * (x / width)) * t * (1 + Math.exp(-u));
        }
        return 2 / Math.sqrt(Math.PI) * sum / 32 / width;
    }

    /** By halving, then by Newton's steps: the slope of erf is known, and its value takes most of this test's time. */
    private static double erfInverse(double y) {
        double low = -7;
        double high = 7;
        for (int i = 0; i < 10; i++) {
            double middle = (low + high) / 2;
            if (erf(middle) < y) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double x = (low + high) / 2;
        // from within 0.007 each step doubles the digits
        for (int i = 0; i < 5; i++) {
            x -= (erf(x) - y) * Math.sqrt(Math.PI) / 2 * Math.exp(x * x);
        }
        return x;
    }

    /** Bessel's integral by the trapezoidal rule, which is exact to rounding for periodic functions. */
    private static double bessel(double x, int order) {
        int n = 200;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double angle = 2 * Math.PI * i / n;
            sum += Math.exp(x * Math.cos(angle)) * Math.cos(order * angle);
        }
        return sum / n;
    }

    private static final int FAR = 2000;

    /** Recurrence from far out, where Stirling's series needs few terms. */
    private static double logGamma(double x) {
        double y = x + FAR;
        double sum = (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * y);
        for (int k = 0; k < FAR; k++) {
            sum -= Math.log(x + k);
        }
        return sum;
    }

    private static double digamma(double x) {
        double y = x + FAR;
        double sum = Math.log(y) - 1 / (2 * y) - 1 / (12 * y * y);
        for (int k = 0; k < FAR; k++) {
            sum -= 1 / (x + k);
        }
        return sum;
    }

    private static double trigamma(double x) {
        double y = x + FAR;
        double sum = 1 / y + 1 / (2 * y * y) + 1 / (6 * y * y * y);
        for (int k = 0; k < FAR; k++) {
            sum += 1 / ((x + k) * (x + k));
        }
        return sum;
    }

    static Definition of(ElementOp op) {
        return switch (op) {
            case COPY -> (a, b, c, s, t) -> a;
            case FILL -> (a, b, c, s, t) -> s;
            case ADD -> (a, b, c, s, t) -> a + s * b;
            case SUB -> (a, b, c, s, t) -> a - s * b;
            case MUL -> (a, b, c, s, t) -> a * b;
            case DIV -> (a, b, c, s, t) -> a / b;
            case ADD_SCALAR -> (a, b, c, s, t) -> a + s;
            case MUL_SCALAR -> (a, b, c, s, t) -> a * s;
            case DIV_SCALAR -> (a, b, c, s, t) -> a / s;
            case RSUB_SCALAR -> (a, b, c, s, t) -> s - a;
            case RDIV_SCALAR -> (a, b, c, s, t) -> s / a;
            case POW_SCALAR -> (a, b, c, s, t) -> Math.exp(s * Math.log(a));
            case POW -> (a, b, c, s, t) -> Math.exp(b * Math.log(a));
            case MAXIMUM -> (a, b, c, s, t) -> a > b ? a : b;
            case MINIMUM -> (a, b, c, s, t) -> a < b ? a : b;
            case NEG -> (a, b, c, s, t) -> -a;
            case ABS -> (a, b, c, s, t) -> Math.abs(a);
            case SIGN -> (a, b, c, s, t) -> Math.signum(a);
            case RECIPROCAL -> (a, b, c, s, t) -> 1 / a;
            case SQRT -> (a, b, c, s, t) -> Math.sqrt(a);
            case RSQRT -> (a, b, c, s, t) -> 1 / Math.sqrt(a);
            case EXP -> (a, b, c, s, t) -> Math.exp(a);
            case LOG -> (a, b, c, s, t) -> Math.log(a);
            case LOG1P -> (a, b, c, s, t) -> Math.log(1 + a);
            case SIN -> (a, b, c, s, t) -> Math.sin(a);
            case COS -> (a, b, c, s, t) -> Math.cos(a);
            case ERF -> (a, b, c, s, t) -> erf(a);
            case FLOOR -> (a, b, c, s, t) -> Math.floor(a);
            case CEIL -> (a, b, c, s, t) -> Math.ceil(a);
            case ROUND -> (a, b, c, s, t) -> Math.rint(a);
            case TANH -> (a, b, c, s, t) -> Math.tanh(a);
            case SIGMOID -> (a, b, c, s, t) -> sigmoid(a);
            case RELU -> (a, b, c, s, t) -> a > 0 ? a : 0;
            case GELU -> (a, b, c, s, t) -> gelu(a);
            case GELU_TANH -> (a, b, c, s, t) -> geluTanh(a);
            case SILU -> (a, b, c, s, t) -> silu(a);
            case CLAMP -> (a, b, c, s, t) -> a < s ? s : a > t ? t : a;
            case EQ -> (a, b, c, s, t) -> bit(a == b);
            case NE -> (a, b, c, s, t) -> bit(a != b);
            case LT -> (a, b, c, s, t) -> bit(a < b);
            case LE -> (a, b, c, s, t) -> bit(a <= b);
            case GT -> (a, b, c, s, t) -> bit(a > b);
            case GE -> (a, b, c, s, t) -> bit(a >= b);
            case EQ_SCALAR -> (a, b, c, s, t) -> bit(a == s);
            case NE_SCALAR -> (a, b, c, s, t) -> bit(a != s);
            case LT_SCALAR -> (a, b, c, s, t) -> bit(a < s);
            case LE_SCALAR -> (a, b, c, s, t) -> bit(a <= s);
            case GT_SCALAR -> (a, b, c, s, t) -> bit(a > s);
            case GE_SCALAR -> (a, b, c, s, t) -> bit(a >= s);
            case AND -> (a, b, c, s, t) -> bit(a != 0 && b != 0);
            case OR -> (a, b, c, s, t) -> bit(a != 0 || b != 0);
            case NOT -> (a, b, c, s, t) -> bit(a == 0);
            case NOT_FINITE -> (a, b, c, s, t) -> bit(Double.isNaN(a) || Double.isInfinite(a));
            case WHERE -> (a, b, c, s, t) -> a != 0 ? b : c;
            case MASKED_FILL -> (a, b, c, s, t) -> b != 0 ? s : a;
            case ADDCMUL -> (a, b, c, s, t) -> a + s * b * c;
            case ADDCDIV -> (a, b, c, s, t) -> a + s * b / c;
            case LERP -> (a, b, c, s, t) -> (1 - s) * a + s * b;
            case RELU_BACKWARD -> (g, r, c, s, t) -> r > 0 ? g : 0;
            case GELU_BACKWARD -> (g, x, c, s, t) -> g * (phi(x) + x * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI));
            case GELU_TANH_BACKWARD -> (g, x, c, s, t) -> g * slope(ElementReference::geluTanh, x);
            case TANH_BACKWARD -> (g, r, c, s, t) -> g * (1 - r * r);
            case SIGMOID_BACKWARD -> (g, r, c, s, t) -> g * r * (1 - r);
            case SILU_BACKWARD -> (g, x, c, s, t) -> g * slope(ElementReference::silu, x);
            case CLAMP_BACKWARD -> (g, x, c, s, t) -> x < s || x > t ? 0 : g;
            case ABS_BACKWARD -> (g, x, c, s, t) -> g * Math.signum(x);
            case POW_SCALAR_BACKWARD -> (g, x, c, s, t) -> g * s * Math.pow(x, s - 1);
            case BCE_WITH_LOGITS ->
                (x, y, c, s, t) -> -(y * Math.log(sigmoid(x)) + (1 - y) * Math.log(1 - sigmoid(x)));
            case SQUARED_ERROR -> (x, y, c, s, t) -> Math.pow(x - y, 2);
            case SQUARED_ERROR_BACKWARD -> (g, x, y, s, t) -> s * g * (x - y);
            case ABSOLUTE_ERROR -> (x, y, c, s, t) -> Math.abs(x - y);
            case ABSOLUTE_ERROR_BACKWARD -> (g, x, y, s, t) -> s * g * Math.signum(x - y);
            case LEAKY_RELU -> (a, b, c, s, t) -> a > 0 ? a : s * a;
            case LEAKY_RELU_BACKWARD -> (g, x, c, s, t) -> x > 0 ? g : s * g;
            case ELU -> (a, b, c, s, t) -> a > 0 ? t * a : s * (Math.exp(a) - 1);
            case ELU_BACKWARD -> (g, x, c, s, t) -> x > 0 ? t * g : g * s * Math.exp(x);
            case ELU_RESULT_BACKWARD -> (g, r, c, s, t) -> r > 0 ? t * g : g * (r + s);
            case CELU -> (a, b, c, s, t) -> a > 0 ? a : s * (Math.exp(a / s) - 1);
            case CELU_BACKWARD -> (g, x, c, s, t) -> x > 0 ? g : g * Math.exp(x / s);
            case CELU_RESULT_BACKWARD -> (g, r, c, s, t) -> r > 0 ? g : g * (1 + r / s);
            case SOFTPLUS -> (a, b, c, s, t) -> s * a > t ? a : Math.log(1 + Math.exp(s * a)) / s;
            case SOFTPLUS_BACKWARD -> (g, x, c, s, t) -> s * x > t ? g : g / (1 + Math.exp(-s * x));
            case HARDTANH_BACKWARD -> (g, x, c, s, t) -> x > s && x < t ? g : 0;
            case HARDSWISH -> (a, b, c, s, t) -> a <= -3 ? 0 : a >= 3 ? a : a * (a + 3) / 6;
            case HARDSWISH_BACKWARD -> (g, x, c, s, t) -> x < -3 ? 0 : x > 3 ? g : g * (2 * x + 3) / 6;
            case HARDSIGMOID -> (a, b, c, s, t) -> a <= -3 ? 0 : a >= 3 ? 1 : a / 6 + 0.5;
            case HARDSIGMOID_BACKWARD -> (g, x, c, s, t) -> Math.abs(x) < 3 ? g / 6 : 0;
            case LOG_SIGMOID -> (a, b, c, s, t) -> Math.log(sigmoid(a));
            case LOG_SIGMOID_BACKWARD -> (g, x, c, s, t) -> g * (1 - sigmoid(x));
            case MISH -> (a, b, c, s, t) -> mish(a);
            case MISH_BACKWARD -> (g, x, c, s, t) -> g * slope(ElementReference::mish, x);
            case THRESHOLD -> (a, b, c, s, t) -> a > s ? a : t;
            case THRESHOLD_BACKWARD -> (g, x, c, s, t) -> x > s ? g : 0;
            case SOFTSHRINK -> (a, b, c, s, t) -> Math.signum(a) * Math.max(Math.abs(a) - s, 0);
            case HARDSHRINK -> (a, b, c, s, t) -> Math.abs(a) > s ? a : 0;
            case SHRINK_BACKWARD -> (g, x, c, s, t) -> Math.abs(x) > s ? g : 0;
            case PRELU -> (a, w, c, s, t) -> a > 0 ? a : w * a;
            case PRELU_BACKWARD -> (g, x, w, s, t) -> x > 0 ? g : w * g;
            case PRELU_BACKWARD_SLOPE -> (g, x, c, s, t) -> x > 0 ? 0 : g * x;
            case GLU -> (a, b, c, s, t) -> a * sigmoid(b);
            case GLU_BACKWARD_GATE -> (g, a, b, s, t) -> g * a * sigmoid(b) * sigmoid(-b);
            case SMOOTH_L1 -> (x, y, c, s, t) -> Math.abs(x - y) < s
                    ? Math.pow(x - y, 2) / (2 * s)
                    : Math.abs(x - y) - s / 2;
            case SMOOTH_L1_BACKWARD -> (g, x, y, s, t) -> s * g * Math.clamp((x - y) / t, -1, 1);
            case HUBER -> (x, y, c, s, t) -> Math.abs(x - y) < s
                    ? Math.pow(x - y, 2) / 2
                    : s * (Math.abs(x - y) - s / 2);
            case HUBER_BACKWARD -> (g, x, y, s, t) -> s * g * Math.clamp(x - y, -t, t);
            case BCE -> (x, y, c, s, t) -> -(y * logAtLeast(x) + (1 - y) * logAtLeast(1 - x));
            case BCE_BACKWARD -> (g, x, y, s, t) -> g * (x - y) / Math.max(x * (1 - x), 1e-12);
            case XLOGY -> (a, b, c, s, t) -> a == 0 ? 0 : a * Math.log(b);
            case TAN -> (a, b, c, s, t) -> Math.sin(a) / Math.cos(a);
            case SINH -> (a, b, c, s, t) -> (Math.exp(a) - Math.exp(-a)) / 2;
            case COSH -> (a, b, c, s, t) -> (Math.exp(a) + Math.exp(-a)) / 2;
            case ASIN -> (a, b, c, s, t) -> Math.asin(a);
            case ACOS -> (a, b, c, s, t) -> Math.acos(a);
            case ATAN -> (a, b, c, s, t) -> Math.atan(a);
            case ASINH -> (a, b, c, s, t) -> Math.signum(a) * Math.log(Math.abs(a) + Math.sqrt(a * a + 1));
            case ACOSH -> (a, b, c, s, t) -> Math.log(a + Math.sqrt(a * a - 1));
            case ATANH -> (a, b, c, s, t) -> Math.log((1 + a) / (1 - a)) / 2;
            case EXP2 -> (a, b, c, s, t) -> Math.exp(a * Math.log(2));
            case EXPM1 -> (a, b, c, s, t) -> Math.exp(a) - 1;
            case ERFC -> (a, b, c, s, t) -> 1 - erf(a);
            case LOG2 -> (a, b, c, s, t) -> Math.log(a) / Math.log(2);
            case LOG10 -> (a, b, c, s, t) -> Math.log(a) / Math.log(10);
            case TRUNC -> (a, b, c, s, t) -> Math.signum(a) * Math.floor(Math.abs(a));
            case FRAC -> (a, b, c, s, t) -> a % 1;
            case IS_INF -> (a, b, c, s, t) -> bit(Double.isInfinite(a));
            case XOR -> (a, b, c, s, t) -> bit(a != 0 ^ b != 0);
            case ATAN2 -> (a, b, c, s, t) -> Math.atan2(a, b);
            case HYPOT -> (a, b, c, s, t) -> Math.sqrt(a * a + b * b);
            case FMOD -> (a, b, c, s, t) -> a % b;
            case REMAINDER -> (a, b, c, s, t) -> a - b * Math.floor(a / b);
            case FMOD_SCALAR -> (a, b, c, s, t) -> a % s;
            case REMAINDER_SCALAR -> (a, b, c, s, t) -> a - s * Math.floor(a / s);
            case FLOOR_DIVIDE -> (a, b, c, s, t) -> Math.floor(a / b);
            case FLOOR_DIVIDE_SCALAR -> (a, b, c, s, t) -> Math.floor(a / s);
            case LOG_ADD_EXP -> (a, b, c, s, t) -> Math.log(Math.exp(a) + Math.exp(b));
            case COPY_SIGN -> (a, b, c, s, t) -> Math.copySign(a, b);
            case LERP_TENSOR -> (a, b, c, s, t) -> a + c * (b - a);
            case SINC -> (a, b, c, s, t) -> a == 0 ? 1 : Math.sin(Math.PI * a) / (Math.PI * a);
            case SIGN_BIT -> (a, b, c, s, t) -> bit(Math.copySign(1, a) < 0);
            case ERF_INV -> (a, b, c, s, t) -> erfInverse(a);
            case ERFCX -> (a, b, c, s, t) -> erfcx(a);
            case I0 -> (a, b, c, s, t) -> bessel(a, 0);
            case I1 -> (a, b, c, s, t) -> bessel(a, 1);
            case LGAMMA -> (a, b, c, s, t) -> logGamma(a);
            case DIGAMMA -> (a, b, c, s, t) -> digamma(a);
            case TRIGAMMA -> (a, b, c, s, t) -> trigamma(a);
            case NAN_TO_NUM -> (a, b, c, s, t) -> Double.isNaN(a) ? 0 : Double.isInfinite(a) ? a > 0 ? s : t : a;
            case LOGIT -> (a, b, c, s, t) -> logit(Math.min(Math.max(a, s), 1 - s));
            case LOGIT_BACKWARD -> (g, x, c, s, t) -> x < s || x > 1 - s ? 0 : g / (x * (1 - x));
            case ENTROPY -> (a, b, c, s, t) -> a == 0 ? 0 : -a * Math.log(a);
            case HEAVISIDE -> (a, b, c, s, t) -> a == 0 ? b : bit(a > 0);
            case LOG_ADD_EXP2 -> (a, b, c, s, t) -> Math.log(Math.pow(2, a) + Math.pow(2, b)) / Math.log(2);
            case FMAX -> (a, b, c, s, t) -> a > b ? a : b;
            case FMIN -> (a, b, c, s, t) -> a < b ? a : b;
            case CLAMP_TENSOR -> (a, b, c, s, t) -> Math.min(Math.max(a, b), c);
            case BIT_AND -> (a, b, c, s, t) -> (long) a & (long) b;
            case BIT_OR -> (a, b, c, s, t) -> (long) a | (long) b;
            case BIT_XOR -> (a, b, c, s, t) -> (long) a ^ (long) b;
            case BIT_NOT -> (a, b, c, s, t) -> ~(long) a;
            case TRUNC_DIVIDE -> (a, b, c, s, t) -> Math.signum(a / b) * Math.floor(Math.abs(a / b));
        };
    }
}
