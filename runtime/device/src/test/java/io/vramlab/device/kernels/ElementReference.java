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
                    NOT_FINITE ->
                true;
            default -> false;
        };
    }

    /** True where the definition here is a numerical slope, good to about 1e-11. */
    static boolean isNumerical(ElementOp op) {
        return op == ElementOp.GELU_TANH_BACKWARD || op == ElementOp.SILU_BACKWARD;
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
        };
    }
}
