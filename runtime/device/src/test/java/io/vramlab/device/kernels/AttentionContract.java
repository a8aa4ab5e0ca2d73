package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.AttentionArithmetic.Attention;
import io.vramlab.device.Operand;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Attention against its definition, computed in double, and its gradients against the formulas of the definition. */
interface AttentionContract extends KernelsHarness {

    int N = 2;
    int HEADS = 4;
    int L = 5;
    int S = 7;
    int D = 8;
    double SCALE = 0.3;

    /** Everything that one case computes with; {@code kv} heads of keys and values. */
    final class Reference {

        final double[] out = new double[N * HEADS * L * D];
        final double[] gradQuery = new double[N * HEADS * L * D];
        final double[] gradKey;
        final double[] gradValue;
        final double[] gradMask = new double[N * HEADS * L * S];

        Reference(double[] q, double[] k, double[] v, double[] mask, double[] g, int kv, boolean causal) {
            gradKey = new double[N * kv * S * D];
            gradValue = new double[N * kv * S * D];
            for (int row = 0; row < N * HEADS * L; row++) {
                int head = row / L / (HEADS / kv);
                double[] p = new double[S];
                double sum = 0;
                for (int j = 0; j < S; j++) {
                    double score = mask == null ? 0 : mask[row * S + j];
                    for (int d = 0; d < D; d++) {
                        score += SCALE * q[row * D + d] * k[(head * S + j) * D + d];
                    }
                    p[j] = causal && j > row % L ? 0 : Math.exp(score);
                    sum += p[j];
                }
                double along = 0;
                double[] slope = new double[S];
                for (int j = 0; j < S; j++) {
                    p[j] = sum == 0 ? 0 : p[j] / sum;
                    for (int d = 0; d < D; d++) {
                        out[row * D + d] += p[j] * v[(head * S + j) * D + d];
                        gradValue[(head * S + j) * D + d] += p[j] * g[row * D + d];
                        slope[j] += g[row * D + d] * v[(head * S + j) * D + d];
                    }
                    along += slope[j] * p[j];
                }
                for (int j = 0; j < S; j++) {
                    double ds = p[j] * (slope[j] - along);
                    gradMask[row * S + j] = ds;
                    for (int d = 0; d < D; d++) {
                        gradQuery[row * D + d] += SCALE * ds * k[(head * S + j) * D + d];
                        gradKey[(head * S + j) * D + d] += SCALE * ds * q[row * D + d];
                    }
                }
            }
        }
    }

    private void compare(DType dtype, Layout layout, int kv, boolean causal, boolean masked) {
        HostTensor q = random(dtype, layout, 1, N, HEADS, L, D);
        HostTensor k = random(dtype, layout, 2, N, kv, S, D);
        HostTensor v = random(dtype, layout, 3, N, kv, S, D);
        HostTensor g = random(dtype, layout, 4, N, HEADS, L, D);
        HostTensor mask = masked ? random(dtype, layout, 5, N, HEADS, L, S) : null;
        HostTensor out = empty(dtype, layout, N, HEADS, L, D);
        HostTensor gq = empty(dtype, layout, N, HEADS, L, D);
        HostTensor gk = empty(dtype, layout, N, kv, S, D);
        HostTensor gv = empty(dtype, layout, N, kv, S, D);
        HostTensor gm = masked ? empty(dtype, layout, N, HEADS, L, S) : null;
        Attention how = new Attention(SCALE, causal, 0, 0, 0);
        Operand bias = masked ? mask.operand() : null;
        kernels().attention(out.operand(), q.operand(), k.operand(), v.operand(), bias, how, 0);
        kernels().attentionBackward(gq.operand(), gk.operand(), gv.operand(), masked ? gm.operand() : null,
                g.operand(), q.operand(), k.operand(), v.operand(), bias, how, 0);
        Reference r = new Reference(q.values(), k.values(), v.values(), masked ? mask.values() : null, g.values(), kv,
                causal);
        String what = dtype + " " + layout + " kv " + kv + (causal ? " causal" : "") + (masked ? " masked" : "");
        KernelsHarness.assertClose(dtype, r.out, out.read(), 32, 1, what);
        KernelsHarness.assertClose(dtype, r.gradQuery, gq.read(), 32, 1, what + " query");
        KernelsHarness.assertClose(dtype, r.gradKey, gk.read(), 32, 1, what + " key");
        KernelsHarness.assertClose(dtype, r.gradValue, gv.read(), 32, 1, what + " value");
        if (masked) {
            KernelsHarness.assertClose(dtype, r.gradMask, gm.read(), 32, 1, what + " mask");
        }
    }

    @Test
    default void attentionAndItsGradientsEqualTheirDefinition() {
        for (DType dtype : new DType[]{DType.FLOAT32, DType.BFLOAT16, DType.FLOAT16}) {
            for (Layout layout : Layout.values()) {
                for (int kv : new int[]{HEADS, 2, 1}) {
                    compare(dtype, layout, kv, false, false);
                    compare(dtype, layout, kv, true, false);
                    compare(dtype, layout, kv, false, true);
                }
            }
        }
    }

    @Test
    default void aQueryWithoutKeysGivesZeros() {
        double hidden = Double.NEGATIVE_INFINITY;
        HostTensor q = random(DType.FLOAT32, Layout.CONTIGUOUS, 1, 1, 1, 2, D);
        HostTensor kv = random(DType.FLOAT32, Layout.CONTIGUOUS, 2, 1, 1, 1, D);
        HostTensor mask = tensor(DType.FLOAT32, new long[]{1, 1, 2, 1}, hidden, 0);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 1, 2, D);
        kernels().attention(out.operand(), q.operand(), kv.operand(), kv.operand(), mask.operand(),
                new Attention(SCALE, false, 0, 0, 0), 0);
        double[] expected = new double[2 * D];
        System.arraycopy(kv.values(), 0, expected, D, D);
        assertArrayEquals(expected, out.read());
    }

    @Test
    default void dropoutLeavesOutTheSameProbabilitiesInBackward() {
        // with values of one, an element of the result is the sum of the kept probabilities over 1 - p, and its gradient
        // for the value is each of them
        int rows = 64;
        double[] ones = new double[rows * D];
        Arrays.fill(ones, 1);
        long[] shape = {1, 1, rows, D};
        HostTensor q = random(DType.FLOAT32, Layout.CONTIGUOUS, 1, shape);
        HostTensor k = random(DType.FLOAT32, Layout.CONTIGUOUS, 2, shape);
        HostTensor v = tensor(DType.FLOAT32, shape, ones);
        HostTensor g = tensor(DType.FLOAT32, shape, ones);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, shape);
        HostTensor gq = empty(DType.FLOAT32, Layout.CONTIGUOUS, shape);
        HostTensor gk = empty(DType.FLOAT32, Layout.CONTIGUOUS, shape);
        HostTensor gv = empty(DType.FLOAT32, Layout.CONTIGUOUS, shape);
        Attention how = new Attention(SCALE, false, 0.5, 3, 40);
        kernels().attention(out.operand(), q.operand(), k.operand(), v.operand(), null, how, 0);
        kernels().attentionBackward(gq.operand(), gk.operand(), gv.operand(), null, g.operand(), q.operand(),
                k.operand(), v.operand(), null, how, 0);
        double kept = Arrays.stream(out.read()).sum();
        assertEquals(kept, Arrays.stream(gv.read()).sum(), 1e-3 * kept);
        assertEquals(rows * D, kept, 0.2 * rows * D);
    }
}
