package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.RandomOp;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real GPU's kernels of layers, losses, random numbers and optimizers give what the simulated one's give. */
@Tag("gpu")
class CudaLayerKernelsTest extends TwinsCase {

    @Test
    void softmaxAndItsGradient() {
        for (DType dtype : FLOATS) {
            for (long[] shape : new long[][]{{5, 1000}, {9, 1024}, {3, 4096}, {2, 5003}, {40, 7}}) {
                for (boolean log : new boolean[]{false, true}) {
                    for (int dim = 0; dim < 2; dim++) {
                        Twin in = twins.random(dtype, shape);
                        Twin out = twins.zeros(dtype, shape);
                        Twin g = twins.random(dtype, shape);
                        Twin gradIn = twins.zeros(dtype, shape);
                        int d = dim;
                        twins.run((k, of) -> {
                            k.softmax(of.apply(out), of.apply(in), d, log, 0);
                            k.softmaxBackward(of.apply(gradIn), of.apply(g), of.apply(out), d, log, 0);
                        });
                        twins.same("softmax", 5 * tolerance(dtype), out);
                        twins.same("softmax gradient", 50 * tolerance(dtype), gradIn);
                    }
                }
            }
        }
    }

    @Test
    void negativeLogLikelihood() {
        for (int reduction = 0; reduction < 3; reduction++) {
            Twin logs = twins.random(DType.FLOAT32, 700, 10);
            Twin target = twins.limited(DType.INT64, 10, 700);
            Twin out = twins.zeros(DType.FLOAT32, reduction == 0 ? new long[]{700} : new long[0]);
            Twin weight = twins.zeros(DType.FLOAT32);
            Twin grad = twins.zeros(DType.FLOAT32, 700, 10);
            Twin g = twins.random(DType.FLOAT32, reduction == 0 ? new long[]{700} : new long[0]);
            int r = reduction;
            twins.run((k, of) -> {
                k.nllLoss(of.apply(out), of.apply(weight), of.apply(logs), of.apply(target), null, r, 3, 0);
                k.nllLossBackward(of.apply(grad), of.apply(g), of.apply(target), of.apply(weight), null, r, 3, 0);
            });
            twins.same("nll", 1e-5, out, weight, grad);
        }
    }

    @Test
    void layerNormAndBatchNorm() {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
            Twin in = twins.random(dtype, 33, 200);
            Twin w = twins.random(dtype, 200);
            Twin b = twins.random(dtype, 200);
            Twin g = twins.random(dtype, 33, 200);
            Twin[] t = {twins.zeros(dtype, 33, 200), twins.zeros(dtype, 33), twins.zeros(dtype, 33),
                    twins.zeros(dtype, 33, 200), twins.zeros(dtype, 200), twins.zeros(dtype, 200)};
            twins.run((k, of) -> {
                k.layerNorm(of.apply(t[0]), of.apply(t[1]), of.apply(t[2]), of.apply(in), of.apply(w), of.apply(b),
                        1e-5, 0);
                k.layerNormBackward(of.apply(t[3]), of.apply(t[4]), of.apply(t[5]), of.apply(g), of.apply(in),
                        of.apply(t[1]), of.apply(t[2]), of.apply(w), 0);
            });
            twins.same("layer norm", 20 * tolerance(dtype), t);
            for (boolean training : new boolean[]{true, false}) {
                batchNorm(dtype, training, false, 8, 5, 49);
            }
        }
    }

    @Test
    void batchNormOfChannelsThatAreSharedBetweenBlocks() {
        for (boolean training : new boolean[]{true, false}) {
            for (boolean last : new boolean[]{true, false}) {
                // 6 * 71 * 33 = 14,058 elements a channel: six parts of unequal length
                batchNorm(DType.FLOAT32, training, last, 6, 5, 71, 33);
                batchNorm(DType.FLOAT64, training, last, 6, 5, 71, 33);
                batchNorm(DType.BFLOAT16, training, last, 6, 5, 71, 33);
            }
            for (DType dtype : FLOATS) {
                // 72 * 32 = 2,304 elements a plane: four are read at once
                batchNorm(dtype, training, false, 6, 5, 72, 32);
                // many short channels: one block each, in three steps all the same
                batchNorm(dtype, training, false, 8, 700, 7, 8);
            }
            batchNorm(DType.FLOAT16, training, false, 5000, 5);
        }
    }

    private static Twin last(Twin t, boolean channelsLast) {
        long[] s = t.shape();
        return channelsLast
                ? t.view(s, new long[]{s[1] * s[2] * s[3], 1, s[3] * s[1], s[1]})
                : t;
    }

    private void batchNorm(DType dtype, boolean training, boolean last, long... shape) {
        Twin in = last(twins.random(dtype, shape), last);
        Twin g = last(twins.random(dtype, shape), last);
        Twin[] c = new Twin[8];
        for (int i = 0; i < 8; i++) {
            // positive: some are variances
            c[i] = twins.of(dtype, IntStream.range(0, (int) shape[1]).mapToDouble(j -> 0.5 + j % 5 * 0.5).toArray(),
                    shape[1]);
        }
        Twin out = last(twins.zeros(dtype, shape), last);
        Twin gradIn = last(twins.zeros(dtype, shape), last);
        twins.run((k, of) -> {
            k.batchNorm(of.apply(out), of.apply(c[0]), of.apply(c[1]), of.apply(in), of.apply(c[2]), of.apply(c[3]),
                    of.apply(c[4]), of.apply(c[5]), training, 0.1, 1e-5, 0);
            k.batchNormBackward(of.apply(gradIn), of.apply(c[6]), of.apply(c[7]), of.apply(g), of.apply(in),
                    of.apply(c[2]), of.apply(c[0]), of.apply(c[1]), training, 0);
        });
        twins.same("batch norm " + training, 20 * tolerance(dtype), out, gradIn);
        twins.same("batch norm " + training, 40 * tolerance(dtype), c);
    }

    @Test
    void convolutionsAndTheirGradients() {
        for (Window w : List.of(new Window(3, 3, 1, 1, 1, 1, 1, 1, 1), new Window(3, 2, 2, 1, 0, 1, 1, 2, 2),
                new Window(1, 1, 1, 1, 0, 0, 1, 1, 1))) {
            int h = (11 + 2 * w.padH() - w.dilationH() * (w.kernelH() - 1) - 1) / w.strideH() + 1;
            int x = (13 + 2 * w.padW() - w.dilationW() * (w.kernelW() - 1) - 1) / w.strideW() + 1;
            Twin in = twins.random(DType.FLOAT32, 3, 4, 11, 13);
            Twin weight = twins.random(DType.FLOAT32, 6, 4 / w.groups(), w.kernelH(), w.kernelW());
            Twin bias = twins.random(DType.FLOAT32, 6);
            Twin out = twins.zeros(DType.FLOAT32, 3, 6, h, x);
            Twin g = twins.random(DType.FLOAT32, 3, 6, h, x);
            Twin gradIn = twins.zeros(DType.FLOAT32, 3, 4, 11, 13);
            Twin gradWeight = twins.zeros(DType.FLOAT32, weight.shape());
            twins.run((k, of) -> {
                k.conv2d(of.apply(out), of.apply(in), of.apply(weight), of.apply(bias), w, 0);
                k.conv2dBackwardInput(of.apply(gradIn), of.apply(g), of.apply(weight), w, 0);
                k.conv2dBackwardWeight(of.apply(gradWeight), of.apply(g), of.apply(in), w, 0);
            });
            twins.same("conv " + w, 2e-5, out, gradIn);
            twins.same("conv weight " + w, 1e-4, gradWeight);
        }
    }

    @Test
    void pooling() {
        for (Window w : List.of(new Window(2, 2, 2, 2, 0, 0, 1, 1, 1), new Window(3, 3, 2, 2, 1, 1, 1, 1, 1),
                new Window(3, 2, 1, 2, 1, 0, 1, 1, 1))) {
            int h = (12 + 2 * w.padH() - w.kernelH()) / w.strideH() + 1;
            int x = (10 + 2 * w.padW() - w.kernelW()) / w.strideW() + 1;
            Twin in = twins.random(DType.FLOAT32, 2, 3, 12, 10);
            Twin out = twins.zeros(DType.FLOAT32, 2, 3, h, x);
            Twin at = twins.zeros(DType.INT64, 2, 3, h, x);
            Twin mean = twins.zeros(DType.FLOAT32, 2, 3, h, x);
            Twin g = twins.random(DType.FLOAT32, 2, 3, h, x);
            Twin maxGrad = twins.zeros(DType.FLOAT32, 2, 3, 12, 10);
            Twin meanGrad = twins.zeros(DType.FLOAT32, 2, 3, 12, 10);
            twins.run((k, of) -> {
                k.maxPool2d(of.apply(out), of.apply(at), of.apply(in), w, 0);
                k.maxPool2dBackward(of.apply(maxGrad), of.apply(g), of.apply(at), w, 0);
                k.avgPool2d(of.apply(mean), of.apply(in), w, 0);
                k.avgPool2dBackward(of.apply(meanGrad), of.apply(g), w, 0);
            });
            twins.same("max pool " + w, 0, out, at);
            twins.same("pool " + w, 3e-6, mean, maxGrad, meanGrad);
        }
    }

    @Test
    void randomValuesHaveTheSimulatedDevicesBits() {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT64)) {
            for (RandomOp op : RandomOp.values()) {
                if (dtype == DType.INT64 && op != RandomOp.INTEGERS) {
                    continue;
                }
                Twin out = twins.zeros(dtype, 10_007);
                double b = op == RandomOp.INTEGERS ? 1000 : 1;
                twins.run((k, of) -> k.random(op, of.apply(out), op == RandomOp.BERNOULLI ? 0.3 : 0, b, 1234, 77, 0));
                twins.same(op + "", dtype == DType.FLOAT64 ? 1e-14 : 0, out);
            }
        }
        Twin in = twins.random(DType.FLOAT32, 10_007);
        Twin out = twins.zeros(DType.FLOAT32, 10_007);
        Twin mask = twins.zeros(DType.BOOL, 10_007);
        twins.run((k, of) -> k.dropout(of.apply(out), of.apply(mask), of.apply(in), 0.4, 9, 5, 0));
        twins.same("dropout", 0, out, mask);
    }

    @Test
    void fusedOptimizerSteps() {
        Twin[][] t = new Twin[6][50];
        for (int i = 0; i < 50; i++) {
            for (int kind = 0; kind < 5; kind++) {
                t[kind][i] = twins.random(DType.FLOAT32, 1 + 61 * i);
            }
            t[3][i] = positive(1 + 61 * i);
            t[4][i] = positive(1 + 61 * i);
            t[5][i] = twins.of(DType.FLOAT32, new double[]{1 + i});
        }
        Twin scale = twins.of(DType.FLOAT32, new double[]{4});
        Twin clean = twins.of(DType.FLOAT32, new double[]{0});
        for (boolean decoupled : new boolean[]{true, false}) {
            twins.run((k, of) -> k.fusedAdam(all(of, t[0]), all(of, t[1]), all(of, t[2]), all(of, t[3]),
                    decoupled ? null : all(of, t[4]), all(of, t[5]), 1e-2, 0.9, 0.999, 1e-8, 0.1, decoupled, decoupled,
                    decoupled ? null : of.apply(scale), of.apply(clean), 0));
        }
        for (Twin[] kind : t) {
            twins.same("adam", 1e-5, kind);
        }
        for (boolean first : new boolean[]{true, false}) {
            twins.run((k, of) -> k.fusedSgd(all(of, t[0]), all(of, t[1]), first ? null : all(of, t[2]), 1e-2, 0.9, 0.1,
                    0.01, !first, false, false, null, null, 0));
        }
        twins.same("sgd", 1e-5, t[0]);
        twins.same("sgd", 1e-5, t[2]);
        twins.run((k, of) -> k.unscale(all(of, t[1]), of.apply(clean), of.apply(scale), 0));
        twins.same("unscale", 1e-6, t[1]);
        twins.same("unscale", 0, clean);
    }

    private Twin positive(int n) {
        double[] values = new double[n];
        Arrays.setAll(values, i -> 0.01 + i % 17 * 0.1);
        return twins.of(DType.FLOAT32, values, n);
    }
}
