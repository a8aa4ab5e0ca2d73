package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.WindowKernels.Window;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel of a real GPU gives what the simulated one gives. */
@Tag("gpu")
class CudaKernelsTest {

    private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

    private Twins twins;

    @BeforeEach
    void open() {
        twins = new Twins();
    }

    @AfterEach
    void close() {
        twins.close();
    }

    /** One unit or so in the last place of the dtype, a few for sums. */
    private static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> 3e-6;
            case FLOAT64 -> 1e-12;
            case FLOAT16 -> 2e-3;
            case BFLOAT16 -> 1.6e-2;
            default -> 0;
        };
    }

    private static Operand[] all(Function<Twin, Operand> of, Twin... twins) {
        return Arrays.stream(twins).map(of).toArray(Operand[]::new);
    }

    private static boolean answersBool(ElementOp op) {
        return op.compareTo(ElementOp.EQ) >= 0 && op.compareTo(ElementOp.NOT_FINITE) <= 0;
    }

    @ParameterizedTest
    @EnumSource(ElementOp.class)
    void everyElementOperationOnEveryFloatType(ElementOp op) {
        for (DType dtype : FLOATS) {
            for (int n : new int[]{1, 1000, 4099}) {
                Twin[] in = inputs(op, dtype, n);
                Twin out = twins.zeros(answersBool(op) ? DType.BOOL : dtype, n);
                double[] scalars = {0.75, 1.25};
                twins.run((k, of) -> k.elementwise(op, scalars, of.apply(out), all(of, in), 0));
                twins.same(op + "", 4 * tolerance(dtype), out);
            }
        }
    }

    private Twin[] inputs(ElementOp op, DType dtype, int n) {
        Twin[] in = new Twin[op.inputs()];
        for (int k = 0; k < in.length; k++) {
            boolean mask = op == ElementOp.WHERE && k == 0 || op == ElementOp.MASKED_FILL && k == 1;
            in[k] = mask ? twins.random(DType.BOOL, n) : twins.random(dtype, n);
        }
        return in;
    }

    @ParameterizedTest
    @EnumSource(value = ElementOp.class, names = {"ADD", "SUB", "MUL", "DIV", "ADD_SCALAR", "MAXIMUM", "NEG", "CLAMP",
            "EQ", "LT_SCALAR", "WHERE", "MASKED_FILL", "RELU", "POW_SCALAR", "COPY", "FILL", "AND", "NOT"})
    void integerOperations(ElementOp op) {
        for (DType dtype : List.of(DType.INT64, DType.INT32, DType.UINT8)) {
            Twin[] in = inputs(op, dtype, 777);
            Twin out = twins.zeros(answersBool(op) ? DType.BOOL : dtype, 777);
            for (double s : new double[]{2, 2.5}) {
                twins.run((k, of) -> k.elementwise(op, new double[]{s, 9}, of.apply(out), all(of, in), 0));
                twins.same(op + "", 0, out);
            }
        }
    }

    @Test
    void castsBetweenAllTypes() {
        for (DType from : DType.values()) {
            for (DType to : DType.values()) {
                if (from.isFloatingPoint() && !to.isFloatingPoint() && to != DType.INT64) {
                    continue; // negative to unsigned is undefined in C
                }
                Twin in = twins.random(from, 300);
                Twin out = twins.zeros(to, 300);
                twins.run((k, of) -> k.elementwise(ElementOp.COPY, new double[0], of.apply(out), all(of, in), 0));
                twins.same(from + " to " + to, tolerance(to), out);
            }
        }
    }

    @Test
    void stridedAndBroadcastOperands() {
        Twin a = twins.random(DType.FLOAT32, 6, 5, 4, 3);
        Twin transposed = a.view(new long[]{3, 4, 5, 6}, new long[]{1, 3, 12, 60});
        Twin row = twins.random(DType.FLOAT32, 6).view(new long[]{3, 4, 5, 6}, new long[]{0, 0, 0, 1});
        Twin one = twins.random(DType.FLOAT32, 1).view(new long[]{3, 4, 5, 6}, new long[4]);
        Twin out = twins.zeros(DType.FLOAT32, 3, 4, 5, 6);
        twins.run((k, of) -> k.elementwise(ElementOp.ADDCMUL, new double[]{0.5}, of.apply(out),
                all(of, transposed, row, one), 0));
        twins.same("addcmul", 1e-6, out);
    }

    @Test
    void aRowAddedToEveryRow() {
        for (ElementOp op : List.of(ElementOp.ADD, ElementOp.SUB, ElementOp.MUL, ElementOp.DIV)) {
            Twin a = twins.random(DType.FLOAT32, 37, 128);
            Twin row = twins.random(DType.FLOAT32, 128).view(new long[]{37, 128}, new long[]{0, 1});
            Twin out = twins.zeros(DType.FLOAT32, 37, 128);
            twins.run((k, of) -> k.elementwise(op, new double[]{0.5}, of.apply(out), all(of, a, row), 0));
            twins.same(op + " row", 1e-6, out);
        }
    }

    @Test
    void manyTensorsAtOnce() {
        Twin[] a = new Twin[70];
        Twin[] b = new Twin[70];
        for (int t = 0; t < 70; t++) {
            a[t] = twins.random(DType.FLOAT32, 1 + 37 * t);
            b[t] = twins.random(DType.FLOAT32, 1 + 37 * t);
        }
        twins.run((k, of) -> k.foreach(ElementOp.ADD, new double[][]{{0.25}}, all(of, a),
                IntStream.range(0, 70).mapToObj(t -> all(of, a[t], b[t])).toArray(Operand[][]::new), 0));
        twins.same("foreach", 1e-6, a);
    }

    static Stream<ReduceOp> reductions() {
        return Arrays.stream(ReduceOp.values()).filter(o -> o != ReduceOp.ARGMAX && o != ReduceOp.ARGMIN);
    }

    @ParameterizedTest
    @MethodSource("reductions")
    void everyReductionOverEveryDimension(ReduceOp op) {
        boolean truth = op == ReduceOp.ANY || op == ReduceOp.ALL;
        for (DType dtype : FLOATS) {
            Twin in = twins.random(dtype, 7, 65, 40);
            double tolerance = 20 * tolerance(dtype);
            for (long[] shape : new long[][]{{1, 65, 40}, {7, 1, 40}, {7, 65, 1}, {1, 1, 1}, {7, 1, 1},
                    {1, 1, 40}}) {
                Twin out = twins.zeros(truth ? DType.BOOL : dtype, shape);
                twins.run((k, of) -> k.reduce(op, of.apply(out), of.apply(in), 0));
                twins.same(op + Arrays.toString(shape), truth ? 0 : tolerance, out);
            }
        }
    }

    @Test
    void largeSumsOverSeveralBlocks() {
        for (long[] shape : new long[][]{{1, 3_000_000}, {3, 1_000_004}, {200_000, 33}}) {
            Twin in = twins.random(DType.FLOAT32, shape);
            for (long[] to : new long[][]{{1, 1}, {shape[0], 1}, {1, shape[1]}}) {
                Twin out = twins.zeros(DType.FLOAT32, to);
                twins.run((k, of) -> k.reduce(ReduceOp.SUM, of.apply(out), of.apply(in), 0));
                twins.same("sum" + Arrays.toString(shape) + Arrays.toString(to), 2e-3, out);
            }
        }
    }

    @Test
    void integerReductionsAndPositions() {
        Twin in = twins.limited(DType.INT64, 50, 9, 211);
        for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN)) {
            Twin out = twins.zeros(DType.INT64, 9, 1);
            twins.run((k, of) -> k.reduce(op, of.apply(out), of.apply(in), 0));
            twins.same(op + "", 0, out);
        }
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.FLOAT16)) {
            Twin x = twins.random(dtype, 6, 300, 5);
            Twin values = twins.zeros(dtype, 6, 1, 5);
            Twin at = twins.zeros(DType.INT64, 6, 1, 5);
            for (boolean largest : new boolean[]{true, false}) {
                twins.run((k, of) -> k.reduceWithIndex(largest, of.apply(values), of.apply(at), of.apply(x), 1,
                        0));
                twins.same("positions", 0, values, at);
            }
            Twin whole = twins.zeros(DType.INT64, 1, 1, 1);
            twins.run((k, of) -> k.reduce(ReduceOp.ARGMAX, of.apply(whole), of.apply(x), 0));
            twins.same("argmax", 0, whole);
        }
    }

    @Test
    void matrixProductsOfAllTypesAndLayouts() {
        for (DType dtype : FLOATS) {
            for (int[] s : new int[][]{{1, 1, 1}, {17, 33, 65}, {130, 129, 128}, {64, 1, 64},
                    {1, 64, 64}}) {
                products(dtype, s[0], s[1], s[2]);
            }
        }
    }

    private void products(DType dtype, int m, int n, int k) {
        Twin a = twins.random(dtype, m, k);
        Twin b = twins.random(dtype, k, n);
        Twin aTurned = twins.random(dtype, k, m).view(new long[]{m, k}, new long[]{1, m});
        Twin bTurned = twins.random(dtype, n, k).view(new long[]{k, n}, new long[]{1, k});
        double tolerance = tolerance(dtype) * 20;
        for (Twin x : List.of(a, aTurned)) {
            for (Twin y : List.of(b, bTurned)) {
                for (double beta : new double[]{0, 0.5}) {
                    Twin c = twins.random(dtype, m, n);
                    Twin cTurned = twins.random(dtype, n, m).view(new long[]{m, n}, new long[]{1, m});
                    twins.run((kernels, of) -> {
                        kernels.matmul(of.apply(c), of.apply(x), of.apply(y), 1.5, beta, 0);
                        kernels.matmul(of.apply(cTurned), of.apply(x), of.apply(y), 1.5, beta, 0);
                    });
                    twins.same("matmul " + m + " " + n + " " + k + " " + beta, tolerance, c, cTurned);
                }
            }
        }
    }

    @Test
    void batchedMatrixProductsWithBroadcasting() {
        Twin a = twins.random(DType.FLOAT32, 3, 4, 20, 30);
        Twin b = twins.random(DType.FLOAT32, 30, 10).view(new long[]{3, 4, 30, 10}, new long[]{0, 0, 10, 1});
        Twin odd = twins.random(DType.FLOAT32, 4, 30, 10).view(new long[]{3, 4, 30, 10},
                new long[]{0, 300, 10, 1});
        Twin c = twins.zeros(DType.FLOAT32, 3, 4, 20, 10);
        Twin d = twins.zeros(DType.FLOAT32, 3, 4, 20, 10);
        twins.run((k, of) -> {
            k.matmul(of.apply(c), of.apply(a), of.apply(b), 1, 0, 0);
            k.matmul(of.apply(d), of.apply(a), of.apply(odd), 1, 0, 0);
        });
        twins.same("batched", 2e-5, c, d);
    }

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
    void indexing() {
        for (DType dtype : List.of(DType.FLOAT32, DType.INT64, DType.FLOAT16)) {
            Twin in = twins.random(dtype, 30, 40);
            Twin at = twins.limited(DType.INT64, 30, 20, 25);
            Twin gathered = twins.zeros(dtype, 20, 25);
            Twin scattered = twins.random(dtype, 30, 40);
            Twin rows = twins.limited(DType.INT64, 30, 500);
            Twin selected = twins.zeros(dtype, 500, 40);
            Twin added = twins.random(dtype, 30, 40);
            Twin source = twins.random(dtype, 500, 40);
            twins.run((k, of) -> {
                k.gather(of.apply(gathered), of.apply(in), 0, of.apply(at), 0);
                k.scatterAdd(of.apply(scattered), 0, of.apply(at), of.apply(gathered), 0);
                k.indexSelect(of.apply(selected), of.apply(in), of.apply(rows), 0);
                k.indexAdd(of.apply(added), of.apply(rows), of.apply(source), 0);
            });
            twins.same("gather, index_select", 0, gathered, selected);
            // half sums are rounded after each addition here, and once there
            twins.same("scatter_add, index_add", dtype == DType.FLOAT16 ? 0.1 : 2e-5, scattered, added);
        }
    }

    @Test
    void sorting() {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32, DType.FLOAT16)) {
            for (int[] s : new int[][]{{3, 1000, 7}, {2, 300, 300}, {5, 1, 1}}) {
                Twin in = twins.random(dtype, s[0], s[1]);
                Twin values = twins.zeros(dtype, s[0], s[2]);
                Twin at = twins.zeros(DType.INT64, s[0], s[2]);
                for (boolean largest : new boolean[]{true, false}) {
                    twins.run((k, of) -> k.topk(of.apply(values), of.apply(at), of.apply(in), largest, 0));
                    twins.same("topk", 0, values, at);
                }
            }
        }
    }

    @Test
    void sequences() {
        for (DType dtype : List.of(DType.FLOAT32, DType.INT64, DType.FLOAT16)) {
            Twin out = twins.zeros(dtype, 1000);
            twins.run((k, of) -> k.arange(of.apply(out), 3, 2, 0));
            twins.same("arange", 0, out);
            Twin in = twins.random(dtype, 3, 20, 30);
            Twin triangle = twins.random(dtype, 3, 20, 30);
            for (int diagonal = -3; diagonal < 4; diagonal++) {
                int d = diagonal;
                for (boolean upper : new boolean[]{true, false}) {
                    twins.run((k, of) -> k.triangle(of.apply(triangle), of.apply(in), upper, d, 0));
                    twins.same("triangle", 0, triangle);
                }
            }
        }
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
