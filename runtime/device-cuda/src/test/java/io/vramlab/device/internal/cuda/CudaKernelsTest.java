package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real GPU's reductions, products, indexing and sorting give what the simulated one's give. */
@Tag("gpu")
class CudaKernelsTest extends TwinsCase {

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
}
