package io.vramlab.device.internal.cpu.kernels.math;

import io.vramlab.device.ElementOp;
import java.util.EnumMap;
import java.util.Map;

/**
 * Element operations computed in long: integers and truth values. Overflow wraps. Operations that are not here are
 * not defined on integers; the tensor layer promotes to float first.
 */
public final class LongOps {

    /** An operation on up to three inputs and two scalars. */
    @FunctionalInterface
    public interface Scalar {
        /** Its value; unused arguments are 0. */
        long apply(long a, long b, long c, double s, double t);
    }

    private static final Map<ElementOp, Scalar> TABLE = new EnumMap<>(ElementOp.class);

    static {
        arithmetic();
        comparisons();
        remainders();
    }

    private LongOps() {
    }

    /** The integer form of an operation, or null where only the floating one exists. */
    public static Scalar of(ElementOp op) {
        return TABLE.get(op);
    }

    private static void put(ElementOp op, Scalar scalar) {
        TABLE.put(op, scalar);
    }

    private static long truth(boolean value) {
        return value ? 1 : 0;
    }

    private static void arithmetic() {
        put(ElementOp.COPY, (a, b, c, s, t) -> a);
        put(ElementOp.FILL, (a, b, c, s, t) -> (long) s);
        put(ElementOp.ADD, (a, b, c, s, t) -> a + (long) s * b);
        put(ElementOp.SUB, (a, b, c, s, t) -> a - (long) s * b);
        put(ElementOp.MUL, (a, b, c, s, t) -> a * b);
        put(ElementOp.DIV, (a, b, c, s, t) -> divide(a, b));
        put(ElementOp.ADD_SCALAR, (a, b, c, s, t) -> a + (long) s);
        put(ElementOp.MUL_SCALAR, (a, b, c, s, t) -> a * (long) s);
        put(ElementOp.DIV_SCALAR, (a, b, c, s, t) -> divide(a, (long) s));
        put(ElementOp.RSUB_SCALAR, (a, b, c, s, t) -> (long) s - a);
        put(ElementOp.RDIV_SCALAR, (a, b, c, s, t) -> divide((long) s, a));
        put(ElementOp.RECIPROCAL, (a, b, c, s, t) -> divide(1, a));
        put(ElementOp.POW_SCALAR, (a, b, c, s, t) -> power(a, (long) s));
        put(ElementOp.POW, (a, b, c, s, t) -> power(a, b));
        put(ElementOp.MAXIMUM, (a, b, c, s, t) -> Math.max(a, b));
        put(ElementOp.MINIMUM, (a, b, c, s, t) -> Math.min(a, b));
        put(ElementOp.NEG, (a, b, c, s, t) -> -a);
        put(ElementOp.ABS, (a, b, c, s, t) -> Math.abs(a));
        put(ElementOp.SIGN, (a, b, c, s, t) -> Long.signum(a));
        put(ElementOp.FLOOR, (a, b, c, s, t) -> a);
        put(ElementOp.CEIL, (a, b, c, s, t) -> a);
        put(ElementOp.ROUND, (a, b, c, s, t) -> a);
        put(ElementOp.RELU, (a, b, c, s, t) -> Math.max(a, 0));
        put(ElementOp.CLAMP, (a, b, c, s, t) -> Math.min(Math.max(a, (long) s), (long) t));
        put(ElementOp.WHERE, (a, b, c, s, t) -> a != 0 ? b : c);
        put(ElementOp.MASKED_FILL, (a, b, c, s, t) -> b != 0 ? (long) s : a);
        put(ElementOp.ADDCMUL, (a, b, c, s, t) -> a + (long) s * b * c);
        put(ElementOp.ADDCDIV, (a, b, c, s, t) -> a + divide((long) s * b, c));
        put(ElementOp.RELU_BACKWARD, (g, r, c, s, t) -> r <= 0 ? 0 : g);
        put(ElementOp.SQUARED_ERROR, (a, b, c, s, t) -> (a - b) * (a - b));
        put(ElementOp.ABSOLUTE_ERROR, (a, b, c, s, t) -> Math.abs(a - b));
    }

    private static void remainders() {
        put(ElementOp.TRUNC, (a, b, c, s, t) -> a);
        put(ElementOp.BIT_AND, (a, b, c, s, t) -> a & b);
        put(ElementOp.BIT_OR, (a, b, c, s, t) -> a | b);
        put(ElementOp.BIT_XOR, (a, b, c, s, t) -> a ^ b);
        put(ElementOp.BIT_NOT, (a, b, c, s, t) -> ~a);
        put(ElementOp.TRUNC_DIVIDE, (a, b, c, s, t) -> divide(a, b));
        put(ElementOp.FMAX, (a, b, c, s, t) -> Math.max(a, b));
        put(ElementOp.FMIN, (a, b, c, s, t) -> Math.min(a, b));
        put(ElementOp.CLAMP_TENSOR, (a, b, c, s, t) -> Math.min(Math.max(a, b), c));
        put(ElementOp.HEAVISIDE, (a, b, c, s, t) -> a == 0 ? b : a < 0 ? 0 : 1);
        put(ElementOp.SIGN_BIT, (a, b, c, s, t) -> truth(a < 0));
        put(ElementOp.FRAC, (a, b, c, s, t) -> 0);
        put(ElementOp.IS_INF, (a, b, c, s, t) -> 0);
        put(ElementOp.XOR, (a, b, c, s, t) -> truth(a != 0 != (b != 0)));
        put(ElementOp.FMOD, (a, b, c, s, t) -> b == 0 ? 0 : a % b);
        put(ElementOp.FMOD_SCALAR, (a, b, c, s, t) -> s == 0 ? 0 : a % (long) s);
        put(ElementOp.REMAINDER, (a, b, c, s, t) -> b == 0 ? 0 : Math.floorMod(a, b));
        put(ElementOp.REMAINDER_SCALAR, (a, b, c, s, t) -> s == 0 ? 0 : Math.floorMod(a, (long) s));
        put(ElementOp.FLOOR_DIVIDE, (a, b, c, s, t) -> b == 0 ? divide(a, b) : Math.floorDiv(a, b));
        put(ElementOp.FLOOR_DIVIDE_SCALAR,
                (a, b, c, s, t) -> s == 0 ? divide(a, 0) : Math.floorDiv(a, (long) s));
        put(ElementOp.THRESHOLD, (a, b, c, s, t) -> a <= s ? (long) t : a);
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
        put(ElementOp.NOT_FINITE, (a, b, c, s, t) -> 0);
    }

    /** Towards zero; by zero -1, as NVIDIA hardware answers instead of trapping. */
    private static long divide(long a, long b) {
        return b == 0 ? -1 : a / b;
    }

    /** Integer power; of a negative exponent only 1 and -1 leave something, as in PyTorch. */
    private static long power(long a, long exponent) {
        if (exponent < 0) {
            return a == 1 ? 1 : a == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
        }
        long result = 1;
        long base = a;
        for (long e = exponent; e > 0; e >>= 1) {
            if ((e & 1) == 1) {
                result *= base;
            }
            base *= base;
        }
        return result;
    }
}
