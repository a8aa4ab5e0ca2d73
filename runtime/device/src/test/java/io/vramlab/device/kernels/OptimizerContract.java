package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Fused optimizer steps against the optimizers' equations. */
interface OptimizerContract extends KernelsHarness {

    private static Operand[] one(HostTensor tensor) {
        return new Operand[]{tensor.operand()};
    }

    @Test
    default void adamFollowsItsEquations() {
        for (boolean decoupled : new boolean[]{true, false}) {
            for (boolean amsgrad : new boolean[]{true, false}) {
                HostTensor p = random(DType.FLOAT32, Layout.CONTIGUOUS, 1, 2000);
                HostTensor g = random(DType.FLOAT32, Layout.CONTIGUOUS, 2, 2000);
                HostTensor m = random(DType.FLOAT32, Layout.CONTIGUOUS, 3, 2000);
                double[] squares = new double[2000];
                double[] expected = new double[2000];
                for (int i = 0; i < 2000; i++) {
                    squares[i] = (float) (0.5 + i / 1000.0);
                    double grad = g.values()[i] / 4 + (decoupled ? 0 : 0.1 * p.values()[i]);
                    double moved = p.values()[i] * (decoupled ? 1 - 0.01 * 0.1 : 1);
                    double mean = 0.9 * m.values()[i] + 0.1 * grad;
                    double square = 0.99 * squares[i] + 0.01 * grad * grad;
                    double most = amsgrad ? Math.max(square, 1.5) : square;
                    expected[i] = moved - 0.01 * (mean / (1 - Math.pow(0.9, 3)))
                            / (Math.sqrt(most / (1 - Math.pow(0.99, 3))) + 1e-8);
                }
                HostTensor v = tensor(DType.FLOAT32, new long[]{2000}, squares);
                double[] most = new double[2000];
                Arrays.fill(most, 1.5);
                HostTensor max = tensor(DType.FLOAT32, new long[]{2000}, most);
                HostTensor step = tensor(DType.FLOAT32, new long[]{}, 3);
                HostTensor scale = tensor(DType.FLOAT32, new long[]{}, 4);
                HostTensor found = tensor(DType.FLOAT32, new long[]{}, 0);
                kernels().fusedAdam(one(p), one(g), one(m), one(v), amsgrad ? one(max) : null, one(step), 0.01, 0.9,
                        0.99, 1e-8, 0.1, decoupled, false, scale.operand(), found.operand(), 0);
                KernelsHarness.assertClose(DType.FLOAT32, expected, p.read(), 8, 1, "decoupled=" + decoupled);
            }
        }
    }

    @Test
    default void aFoundInfinitySkipsTheStep() {
        HostTensor p = random(DType.FLOAT32, Layout.CONTIGUOUS, 4, 100);
        HostTensor g = random(DType.FLOAT32, Layout.CONTIGUOUS, 5, 100);
        HostTensor found = tensor(DType.FLOAT32, new long[]{}, 1);
        HostTensor scale = tensor(DType.FLOAT32, new long[]{}, 2);
        kernels().fusedSgd(one(p), one(g), null, 0.1, 0, 0, 0, false, false, true, scale.operand(), found.operand(),
                0);
        assertArrayEquals(p.values(), p.read());
        assertArrayEquals(g.values(), g.read());
    }

    @Test
    default void sgdFollowsItsEquations() {
        for (boolean nesterov : new boolean[]{true, false}) {
            for (boolean first : new boolean[]{true, false}) {
                HostTensor p = random(DType.FLOAT64, Layout.CONTIGUOUS, 6, 50);
                HostTensor g = random(DType.FLOAT64, Layout.CONTIGUOUS, 7, 50);
                HostTensor buffer = random(DType.FLOAT64, Layout.CONTIGUOUS, 8, 50);
                double[] expected = new double[50];
                for (int i = 0; i < 50; i++) {
                    double grad = -g.values()[i] + 0.1 * p.values()[i];
                    double b = first ? grad : 0.9 * buffer.values()[i] + 0.75 * grad;
                    expected[i] = p.values()[i] - 0.5 * (nesterov ? grad + 0.9 * b : b);
                }
                kernels().fusedSgd(one(p), one(g), one(buffer), 0.5, 0.9, 0.25, 0.1, nesterov, true, first, null, null,
                        0);
                KernelsHarness.assertClose(DType.FLOAT64, expected, p.read(), 8, 4, "nesterov=" + nesterov);
            }
        }
    }

    @Test
    default void unscalingDividesAndTellsOfInfinities() {
        HostTensor a = tensor(DType.FLOAT16, new long[]{2}, 2, 4);
        HostTensor b = tensor(DType.FLOAT32, new long[]{2}, 8, 6);
        HostTensor inverse = tensor(DType.FLOAT32, new long[]{}, 0.5);
        HostTensor found = tensor(DType.FLOAT32, new long[]{}, 0);
        Operand[] grads = {a.operand(), b.operand()};
        kernels().unscale(grads, found.operand(), inverse.operand(), 0);
        assertArrayEquals(new double[]{0}, found.read());
        assertArrayEquals(new double[]{1, 2}, a.read());
        assertArrayEquals(new double[]{4, 3}, b.read());
        HostTensor c = tensor(DType.FLOAT32, new long[]{2}, 1, Double.NaN);
        kernels().unscale(new Operand[]{a.operand(), c.operand(), b.operand()}, found.operand(), inverse.operand(), 0);
        assertArrayEquals(new double[]{1}, found.read());
    }
}
