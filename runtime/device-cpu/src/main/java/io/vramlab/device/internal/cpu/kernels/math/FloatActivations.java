package io.vramlab.device.internal.cpu.kernels.math;

import io.vramlab.device.ElementOp;
import java.util.Map;

/**
 * Activations and their gradients in float: the transcendental part of a whole tile by {@link FloatFunctions}, then
 * plain loops. The output tile and those of inputs that an operation does not have hold intermediate values.
 */
final class FloatActivations {

    private static final FloatFunctions F = FloatFunctions.BEST;
    private static final float SQRT_HALF = 0.70710678118654752f;
    private static final float INV_SQRT_2PI = 0.39894228040143268f;
    private static final float SQRT_2_OVER_PI = 0.79788456080286536f;
    private static final float GELU_CUBIC = 0.044715f;

    private FloatActivations() {
    }

    /** Puts the loops into the table. */
    static void register(Map<ElementOp, FloatLoops.Loop> table) {
        table.put(ElementOp.EXP, (o, a, b, c, n, s, t) -> F.exp(o, a, n));
        table.put(ElementOp.TANH, (o, a, b, c, n, s, t) -> F.tanh(o, a, n));
        table.put(ElementOp.SIGMOID, (o, a, b, c, n, s, t) -> F.sigmoid(o, a, n));
        table.put(ElementOp.ERF, (o, a, b, c, n, s, t) -> F.erf(o, a, n));
        table.put(ElementOp.GELU, FloatActivations::gelu);
        table.put(ElementOp.GELU_BACKWARD, FloatActivations::geluBackward);
        table.put(ElementOp.GELU_TANH, FloatActivations::geluTanh);
        table.put(ElementOp.GELU_TANH_BACKWARD, FloatActivations::geluTanhBackward);
        table.put(ElementOp.SILU, FloatActivations::silu);
        table.put(ElementOp.SILU_BACKWARD, FloatActivations::siluBackward);
    }

    private static void gelu(float[] o, float[] x, float[] b, float[] c, int n, float s, float t) {
        for (int i = 0; i < n; i++) {
            b[i] = x[i] * SQRT_HALF;
        }
        F.erf(o, b, n);
        for (int i = 0; i < n; i++) {
            o[i] = 0.5f * x[i] * (1 + o[i]);
        }
    }

    private static void geluBackward(float[] o, float[] g, float[] x, float[] spare, int n, float s, float t) {
        for (int i = 0; i < n; i++) {
            spare[i] = x[i] * SQRT_HALF;
        }
        F.erf(o, spare, n);
        for (int i = 0; i < n; i++) {
            spare[i] = -0.5f * x[i] * x[i];
        }
        F.exp(spare, spare, n);
        for (int i = 0; i < n; i++) {
            o[i] = g[i] * (0.5f * (1 + o[i]) + x[i] * INV_SQRT_2PI * spare[i]);
        }
    }

    private static void geluTanh(float[] o, float[] x, float[] b, float[] c, int n, float s, float t) {
        for (int i = 0; i < n; i++) {
            b[i] = SQRT_2_OVER_PI * (x[i] + GELU_CUBIC * x[i] * x[i] * x[i]);
        }
        F.tanh(o, b, n);
        for (int i = 0; i < n; i++) {
            o[i] = 0.5f * x[i] * (1 + o[i]);
        }
    }

    private static void geluTanhBackward(float[] o, float[] g, float[] x, float[] c, int n, float s, float t) {
        for (int i = 0; i < n; i++) {
            c[i] = SQRT_2_OVER_PI * (x[i] + GELU_CUBIC * x[i] * x[i] * x[i]);
        }
        F.tanh(o, c, n);
        for (int i = 0; i < n; i++) {
            float slope = SQRT_2_OVER_PI * (1 + 3 * GELU_CUBIC * x[i] * x[i]);
            o[i] = g[i] * (0.5f * (1 + o[i]) + 0.5f * x[i] * (1 - o[i] * o[i]) * slope);
        }
    }

    private static void silu(float[] o, float[] x, float[] b, float[] c, int n, float s, float t) {
        F.sigmoid(o, x, n);
        for (int i = 0; i < n; i++) {
            o[i] *= x[i];
        }
    }

    private static void siluBackward(float[] o, float[] g, float[] x, float[] c, int n, float s, float t) {
        F.sigmoid(o, x, n);
        for (int i = 0; i < n; i++) {
            o[i] = g[i] * o[i] * (1 + x[i] * (1 - o[i]));
        }
    }
}
