package io.vramlab.device.internal.cpu.kernels.math;

import io.vramlab.device.ElementOp;
import java.util.EnumMap;
import java.util.Map;

/**
 * Whole-tile loops in float for the operations that training spends its time in: one call per tile, then a plain loop
 * that the compiler turns into vector instructions. Operations without a loop here go through {@link ScalarOps}.
 */
public final class FloatLoops {

    /** An operation on tiles: writes {@code n} values to {@code o}. */
    @FunctionalInterface
    public interface Loop {
        /** Computes the first {@code n} elements. */
        void apply(float[] o, float[] a, float[] b, float[] c, int n, float s, float t);
    }

    private static final Map<ElementOp, Loop> TABLE = new EnumMap<>(ElementOp.class);

    static {
        arithmetic();
        scalars();
        gradients();
        FloatActivations.register(TABLE);
    }

    private FloatLoops() {
    }

    /** The loop for an operation; every operation has one. */
    public static Loop of(ElementOp op) {
        Loop loop = TABLE.get(op);
        return loop != null ? loop : general(ScalarOps.of(op));
    }

    private static Loop general(ScalarOps.Scalar f) {
        return (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = (float) f.apply(a[i], b[i], c[i], s, t);
            }
        };
    }

    private static void put(ElementOp op, Loop loop) {
        TABLE.put(op, loop);
    }

    private static void arithmetic() {
        put(ElementOp.COPY, (o, a, b, c, n, s, t) -> System.arraycopy(a, 0, o, 0, n));
        put(ElementOp.ADD, FloatLoops::add);
        put(ElementOp.SUB, (o, a, b, c, n, s, t) -> add(o, a, b, c, n, -s, t));
        put(ElementOp.MUL, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] * b[i];
            }
        });
        put(ElementOp.DIV, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] / b[i];
            }
        });
        put(ElementOp.ADDCMUL, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] + s * b[i] * c[i];
            }
        });
        put(ElementOp.ADDCDIV, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] + s * (b[i] / c[i]);
            }
        });
        put(ElementOp.LERP, FloatLoops::lerp);
        put(ElementOp.SQRT, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = (float) Math.sqrt(a[i]);
            }
        });
        put(ElementOp.NEG, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = -a[i];
            }
        });
        put(ElementOp.RELU, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = Math.max(a[i], 0);
            }
        });
        put(ElementOp.MAXIMUM, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = Math.max(a[i], b[i]);
            }
        });
    }

    private static void scalars() {
        put(ElementOp.FILL, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = s;
            }
        });
        put(ElementOp.ADD_SCALAR, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] + s;
            }
        });
        put(ElementOp.MUL_SCALAR, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] * s;
            }
        });
        put(ElementOp.DIV_SCALAR, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] / s;
            }
        });
        put(ElementOp.POW_SCALAR, FloatLoops::power);
    }

    private static void gradients() {
        put(ElementOp.RELU_BACKWARD, (o, g, r, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = r[i] <= 0 ? 0 : g[i];
            }
        });
        put(ElementOp.TANH_BACKWARD, (o, g, r, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = g[i] * (1 - r[i] * r[i]);
            }
        });
        put(ElementOp.SIGMOID_BACKWARD, (o, g, r, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = g[i] * (1 - r[i]) * r[i];
            }
        });
        put(ElementOp.SQUARED_ERROR, (o, a, b, c, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = (a[i] - b[i]) * (a[i] - b[i]);
            }
        });
        put(ElementOp.SQUARED_ERROR_BACKWARD, (o, g, x, y, n, s, t) -> {
            for (int i = 0; i < n; i++) {
                o[i] = s * (x[i] - y[i]) * g[i];
            }
        });
    }

    private static void add(float[] o, float[] a, float[] b, float[] c, int n, float s, float t) {
        if (s == 1) {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] + b[i];
            }
        } else {
            for (int i = 0; i < n; i++) {
                o[i] = Math.fma(s, b[i], a[i]);
            }
        }
    }

    private static void lerp(float[] o, float[] a, float[] b, float[] c, int n, float s, float t) {
        // from the nearer end, as PyTorch: exact at both ends
        if (Math.abs(s) < 0.5f) {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] + s * (b[i] - a[i]);
            }
        } else {
            float rest = 1 - s;
            for (int i = 0; i < n; i++) {
                o[i] = b[i] - (b[i] - a[i]) * rest;
            }
        }
    }

    private static void power(float[] o, float[] a, float[] b, float[] c, int n, float s, float t) {
        if (s == 2) {
            for (int i = 0; i < n; i++) {
                o[i] = a[i] * a[i];
            }
        } else {
            for (int i = 0; i < n; i++) {
                o[i] = (float) ScalarOps.power(a[i], s);
            }
        }
    }
}
