package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.Operand;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Softmax, losses and norms: values against definitions, gradients against central differences in float64. */
interface LayerContract extends KernelsHarness {

    /** Puts a value into a float64 tensor. */
    private void poke(HostTensor tensor, int index, double value) {
        double[] now = tensor.read();
        now[index] = value;
        HostTensor fresh = HostTensor.of(driver(), DType.FLOAT64, Layout.CONTIGUOUS, tensor.operand().shape(), now);
        driver().copyOnDevice(tensor.operand().address(), fresh.operand().address(), 8L * now.length, 0);
    }

    private void assertGradient(HostTensor input, HostTensor gradient, DoubleSupplier loss, String what) {
        double h = 1e-5;
        double[] got = gradient.read();
        double[] x = input.read();
        for (int i = 0; i < x.length; i++) {
            poke(input, i, x[i] + h);
            double above = loss.getAsDouble();
            poke(input, i, x[i] - h);
            double below = loss.getAsDouble();
            poke(input, i, x[i]);
            assertEquals((above - below) / (2 * h), got[i], 1e-7, what + " element " + i);
        }
    }

    private static double dot(HostTensor a, HostTensor b) {
        double sum = 0;
        double[] x = a.read();
        double[] y = b.read();
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    @Test
    default void softmaxAndItsLogarithmEqualTheirDefinitions() {
        for (DType dtype : FLOATS) {
            for (Layout layout : Layout.values()) {
                for (int dim = 0; dim < 2; dim++) {
                    HostTensor in = random(dtype, layout, 1, 9, 37);
                    HostTensor out = empty(dtype, layout, 9, 37);
                    HostTensor logs = empty(dtype, layout, 9, 37);
                    kernels().softmax(out.operand(), in.operand(), dim, false, 0);
                    kernels().softmax(logs.operand(), in.operand(), dim, true, 0);
                    double[] expected = new double[9 * 37];
                    double[] logarithms = new double[9 * 37];
                    for (int i = 0; i < expected.length; i++) {
                        double sum = 0;
                        for (int j = 0; j < expected.length; j++) {
                            boolean same = dim == 0 ? i % 37 == j % 37 : i / 37 == j / 37;
                            sum += same ? Math.exp(in.values()[j]) : 0;
                        }
                        expected[i] = Math.exp(in.values()[i]) / sum;
                        logarithms[i] = in.values()[i] - Math.log(sum);
                    }
                    String what = dtype + " " + layout + " dim " + dim;
                    KernelsHarness.assertClose(dtype, expected, out.read(), 16, 1e-3, "softmax " + what);
                    KernelsHarness.assertClose(dtype, logarithms, logs.read(), 8, 4, "log_softmax " + what);
                }
            }
        }
    }

    @Test
    default void softmaxOfLargeNumbersDoesNotOverflow() {
        HostTensor in = tensor(DType.FLOAT32, new long[]{1, 3}, 1000, 1000, Double.NEGATIVE_INFINITY);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 3);
        kernels().softmax(out.operand(), in.operand(), 1, false, 0);
        assertArrayEquals(new double[]{0.5, 0.5, 0}, out.read());
    }

    @Test
    default void theGradientOfSoftmaxEqualsCentralDifferences() {
        for (boolean log : new boolean[]{false, true}) {
            HostTensor in = random(DType.FLOAT64, Layout.CONTIGUOUS, 2, 3, 6);
            HostTensor g = random(DType.FLOAT64, Layout.CONTIGUOUS, 3, 3, 6);
            HostTensor out = empty(DType.FLOAT64, Layout.CONTIGUOUS, 3, 6);
            HostTensor gradient = empty(DType.FLOAT64, Layout.CONTIGUOUS, 3, 6);
            kernels().softmax(out.operand(), in.operand(), 1, log, 0);
            kernels().softmaxBackward(gradient.operand(), g.operand(), out.operand(), 1, log, 0);
            assertGradient(in, gradient, () -> {
                kernels().softmax(out.operand(), in.operand(), 1, log, 0);
                return dot(out, g);
            }, "softmax log=" + log);
        }
    }

    @Test
    default void theFloatGradientOfSoftmaxEqualsTheDoubleOne() {
        for (boolean log : new boolean[]{false, true}) {
            HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, 2, 5, 300);
            HostTensor g = random(DType.FLOAT32, Layout.CONTIGUOUS, 3, 5, 300);
            HostTensor wideIn = tensor(DType.FLOAT64, new long[]{5, 300}, in.values());
            HostTensor wideG = tensor(DType.FLOAT64, new long[]{5, 300}, g.values());
            double[][] gradients = new double[2][];
            for (int w = 0; w < 2; w++) {
                DType dtype = w == 0 ? DType.FLOAT32 : DType.FLOAT64;
                HostTensor out = empty(dtype, Layout.CONTIGUOUS, 5, 300);
                HostTensor gradient = empty(dtype, Layout.CONTIGUOUS, 5, 300);
                kernels().softmax(out.operand(), (w == 0 ? in : wideIn).operand(), 1, log, 0);
                kernels().softmaxBackward(gradient.operand(), (w == 0 ? g : wideG).operand(), out.operand(), 1, log,
                        0);
                gradients[w] = gradient.read();
            }
            KernelsHarness.assertClose(DType.FLOAT32, gradients[1], gradients[0], 32, 1, "log=" + log);
        }
    }

    @Test
    default void nllLossLeavesIgnoredTargetsOut() {
        HostTensor logs = tensor(DType.FLOAT32, new long[]{3, 2}, -1, -2, -3, -4, -5, -6);
        HostTensor target = tensor(DType.INT64, new long[]{3}, 1, -100, 0);
        HostTensor weight = empty(DType.FLOAT32, Layout.CONTIGUOUS);
        HostTensor each = empty(DType.FLOAT32, Layout.CONTIGUOUS, 3);
        HostTensor one = empty(DType.FLOAT32, Layout.CONTIGUOUS);
        kernels().nllLoss(each.operand(), weight.operand(), logs.operand(), target.operand(), null, 0, -100, 0);
        assertArrayEquals(new double[]{2, 0, 5}, each.read());
        kernels().nllLoss(one.operand(), weight.operand(), logs.operand(), target.operand(), null, 2, -100, 0);
        assertArrayEquals(new double[]{7}, one.read());
        kernels().nllLoss(one.operand(), weight.operand(), logs.operand(), target.operand(), null, 1, -100, 0);
        assertArrayEquals(new double[]{3.5}, one.read());
        assertArrayEquals(new double[]{2}, weight.read());
        HostTensor g = tensor(DType.FLOAT32, new long[]{}, 1);
        HostTensor gradient = tensor(DType.FLOAT32, new long[]{3, 2}, new double[6]);
        kernels().nllLossBackward(gradient.operand(), g.operand(), target.operand(), weight.operand(), null, 1, -100,
                0);
        assertArrayEquals(new double[]{0, -0.5, 0, 0, -0.5, 0}, gradient.read());
    }

    @Test
    default void aCrossEntropysGradientHandedOverByRowsIsTheDenseOneToTheBit() {
        for (int classes : new int[]{2, 3, 10, 33, 1000, 5003}) {
            for (int reduction = 0; reduction < 3; reduction++) {
                HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, classes, 5, classes);
                HostTensor logs = empty(DType.FLOAT32, Layout.CONTIGUOUS, 5, classes);
                kernels().softmax(logs.operand(), in.operand(), 1, true, 0);
                assumeTrue(kernels().keepsGradientRows(logs.operand()), "these kernels hand the whole gradient over");
                HostTensor target = tensor(DType.INT64, new long[]{5}, 1, -100, 0, classes - 1, 1);
                HostTensor weight = tensor(DType.FLOAT32, new long[]{}, 4);
                HostTensor g = reduction == 0
                        ? random(DType.FLOAT32, Layout.CONTIGUOUS, 9, 5)
                        : tensor(DType.FLOAT32, new long[]{}, 0.75);
                HostTensor whole = tensor(DType.FLOAT32, new long[]{5, classes}, new double[5 * classes]);
                HostTensor dense = empty(DType.FLOAT32, Layout.CONTIGUOUS, 5, classes);
                kernels().nllLossBackward(whole.operand(), g.operand(), target.operand(), weight.operand(), null,
                        reduction,
                        -100, 0);
                kernels().softmaxBackward(dense.operand(), whole.operand(), logs.operand(), 1, true, 0);
                HostTensor rows = empty(DType.FLOAT32, Layout.CONTIGUOUS, 5, classes);
                HostTensor fused = empty(DType.FLOAT32, Layout.CONTIGUOUS, 5, classes);
                kernels().nllLossBackwardRows(rows.operand(), g.operand(), target.operand(), weight.operand(),
                        reduction, -100, 0);
                kernels().logSoftmaxBackwardRows(fused.operand(), rows.operand(), logs.operand(), 0);
                assertArrayEquals(dense.read(), fused.read(), classes + " classes, reduction " + reduction);
            }
        }
    }

    @Tag("loses-device")
    @Test
    default void aTargetOutsideTheClassesIsAFault() {
        HostTensor logs = random(DType.FLOAT32, Layout.CONTIGUOUS, 4, 3, 2);
        HostTensor target = tensor(DType.INT64, new long[]{3}, 1, 2, 0);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS);
        HostTensor weight = empty(DType.FLOAT32, Layout.CONTIGUOUS);
        assertThrows(DeviceFaultException.class, () -> {
            kernels().nllLoss(out.operand(), weight.operand(), logs.operand(), target.operand(), null, 1, -100, 0);
            driver().synchronize();
        });
    }

    @Test
    default void layerNormHasMeanZeroAndVarianceOneThenWeightAndBias() {
        for (DType dtype : FLOATS) {
            HostTensor in = random(dtype, Layout.CONTIGUOUS, 5, 7, 50);
            HostTensor w = random(dtype, Layout.CONTIGUOUS, 6, 50);
            HostTensor b = random(dtype, Layout.CONTIGUOUS, 7, 50);
            HostTensor out = empty(dtype, Layout.CONTIGUOUS, 7, 50);
            DType statistics = dtype == DType.FLOAT64 ? dtype : DType.FLOAT32;
            HostTensor mean = empty(statistics, Layout.CONTIGUOUS, 7);
            HostTensor rstd = empty(statistics, Layout.CONTIGUOUS, 7);
            kernels().layerNorm(out.operand(), mean.operand(), rstd.operand(), in.operand(), w.operand(), b.operand(),
                    1e-5, 0);
            double[] expected = new double[350];
            for (int r = 0; r < 7; r++) {
                double sum = 0;
                double squares = 0;
                for (int j = 0; j < 50; j++) {
                    sum += in.values()[r * 50 + j] / 50;
                }
                for (int j = 0; j < 50; j++) {
                    squares += Math.pow(in.values()[r * 50 + j] - sum, 2) / 50;
                }
                for (int j = 0; j < 50; j++) {
                    expected[r * 50 + j] = (in.values()[r * 50 + j] - sum) / Math.sqrt(squares + 1e-5) * w.values()[j]
                            + b.values()[j];
                }
            }
            KernelsHarness.assertClose(dtype, expected, out.read(), 16, 4, "layer norm " + dtype);
        }
    }

    @Test
    default void theGradientsOfLayerNormEqualCentralDifferences() {
        HostTensor in = random(DType.FLOAT64, Layout.CONTIGUOUS, 8, 4, 5);
        HostTensor w = random(DType.FLOAT64, Layout.CONTIGUOUS, 9, 5);
        HostTensor b = random(DType.FLOAT64, Layout.CONTIGUOUS, 10, 5);
        HostTensor g = random(DType.FLOAT64, Layout.CONTIGUOUS, 11, 4, 5);
        HostTensor out = empty(DType.FLOAT64, Layout.CONTIGUOUS, 4, 5);
        HostTensor mean = empty(DType.FLOAT64, Layout.CONTIGUOUS, 4);
        HostTensor rstd = empty(DType.FLOAT64, Layout.CONTIGUOUS, 4);
        HostTensor gradIn = empty(DType.FLOAT64, Layout.CONTIGUOUS, 4, 5);
        HostTensor gradW = empty(DType.FLOAT64, Layout.CONTIGUOUS, 5);
        HostTensor gradB = empty(DType.FLOAT64, Layout.CONTIGUOUS, 5);
        DoubleSupplier loss = () -> {
            kernels().layerNorm(out.operand(), mean.operand(), rstd.operand(), in.operand(), w.operand(), b.operand(),
                    1e-5, 0);
            return dot(out, g);
        };
        loss.getAsDouble();
        kernels().layerNormBackward(gradIn.operand(), gradW.operand(), gradB.operand(), g.operand(), in.operand(),
                mean.operand(), rstd.operand(), w.operand(), 0);
        assertGradient(in, gradIn, loss, "input");
        assertGradient(w, gradW, loss, "weight");
        assertGradient(b, gradB, loss, "bias");
    }

    @Test
    default void theGradientsOfBatchNormEqualCentralDifferences() {
        for (boolean training : new boolean[]{true, false}) {
            HostTensor in = random(DType.FLOAT64, Layout.CONTIGUOUS, 12, 3, 2, 4);
            HostTensor w = random(DType.FLOAT64, Layout.CONTIGUOUS, 13, 2);
            HostTensor b = random(DType.FLOAT64, Layout.CONTIGUOUS, 14, 2);
            HostTensor g = random(DType.FLOAT64, Layout.CONTIGUOUS, 15, 3, 2, 4);
            HostTensor out = empty(DType.FLOAT64, Layout.CONTIGUOUS, 3, 2, 4);
            HostTensor mean = tensor(DType.FLOAT64, new long[]{2}, 0.1, -0.2);
            HostTensor variance = tensor(DType.FLOAT64, new long[]{2}, 1.5, 0.5);
            double[] inverse = {1 / Math.sqrt(1.5 + 1e-5), 1 / Math.sqrt(0.5 + 1e-5)};
            HostTensor saveMean = tensor(DType.FLOAT64, new long[]{2}, 0.1, -0.2);
            HostTensor saveInvStd = tensor(DType.FLOAT64, new long[]{2}, inverse);
            HostTensor gradIn = empty(DType.FLOAT64, Layout.CONTIGUOUS, 3, 2, 4);
            HostTensor gradW = empty(DType.FLOAT64, Layout.CONTIGUOUS, 2);
            HostTensor gradB = empty(DType.FLOAT64, Layout.CONTIGUOUS, 2);
            Operand running = training ? null : mean.operand();
            DoubleSupplier loss = () -> {
                kernels().batchNorm(out.operand(), saveMean.operand(), saveInvStd.operand(), in.operand(), w.operand(),
                        b.operand(), running, training ? null : variance.operand(), training, 0.1, 1e-5, 0);
                return dot(out, g);
            };
            loss.getAsDouble();
            kernels().batchNormBackward(gradIn.operand(), gradW.operand(), gradB.operand(), g.operand(), in.operand(),
                    w.operand(), saveMean.operand(), saveInvStd.operand(), training, 0);
            assertGradient(in, gradIn, loss, "input training=" + training);
            assertGradient(w, gradW, loss, "weight training=" + training);
            assertGradient(b, gradB, loss, "bias training=" + training);
        }
    }

    @Test
    default void batchNormMovesItsRunningStatisticsTowardsTheBatch() {
        HostTensor in = tensor(DType.FLOAT32, new long[]{4, 1}, 1, 2, 3, 4);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 4, 1);
        HostTensor mean = tensor(DType.FLOAT32, new long[]{1}, 10);
        HostTensor variance = tensor(DType.FLOAT32, new long[]{1}, 1);
        HostTensor saveMean = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1);
        HostTensor saveInvStd = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1);
        kernels().batchNorm(out.operand(), saveMean.operand(), saveInvStd.operand(), in.operand(), null, null,
                mean.operand(), variance.operand(), true, 0.5, 0, 0);
        // mean 2.5; biased variance 5/4, unbiased 5/3; momentum 0.5
        assertArrayEquals(new double[]{6.25}, mean.read());
        assertEquals(0.5 + 0.5 * 5 / 3, variance.read()[0], 1e-6);
        assertEquals(1 / Math.sqrt(1.25), saveInvStd.read()[0], 1e-6);
        assertEquals(-1.5 / Math.sqrt(1.25), out.read()[0], 1e-6);
    }
}
