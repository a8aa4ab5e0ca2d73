package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reductions against loops over lists. */
interface ReductionContract extends KernelsHarness {

    private static double reference(ReduceOp op, List<Double> v) {
        double n = v.size();
        double sum = v.stream().mapToDouble(x -> x).sum();
        return switch (op) {
            case SUM -> sum;
            case MEAN -> sum / n;
            case PROD -> v.stream().reduce(1.0, (a, b) -> a * b);
            case MAX -> v.stream().mapToDouble(x -> x).max().orElseThrow();
            case MIN -> v.stream().mapToDouble(x -> x).min().orElseThrow();
            case ARGMAX -> v.indexOf(v.stream().max(Double::compare).orElseThrow());
            case ARGMIN -> v.indexOf(v.stream().min(Double::compare).orElseThrow());
            case NORM2 -> Math.sqrt(v.stream().mapToDouble(x -> x * x).sum());
            case ANY -> v.stream().anyMatch(x -> x != 0) ? 1 : 0;
            case ALL -> v.stream().allMatch(x -> x != 0) ? 1 : 0;
            case VAR -> v.stream().mapToDouble(x -> (x - sum / n) * (x - sum / n)).sum() / (n - 1);
            case NORM1 -> v.stream().mapToDouble(Math::abs).sum();
            case SUM_NUMBERS -> sum;
            case MAX_MAGNITUDE -> v.stream().mapToDouble(Math::abs).max().orElseThrow();
        };
    }

    private static DType resultOf(ReduceOp op, DType dtype) {
        return switch (op) {
            case ARGMAX, ARGMIN -> DType.INT64;
            case ANY, ALL -> DType.BOOL;
            default -> dtype;
        };
    }

    /** Groups row-major values of [a, b, c] by the dimensions that stay. */
    private static List<List<Double>> groups(double[] values, int[] shape, boolean[] reduced) {
        int outputs = 1;
        for (int d = 0; d < 3; d++) {
            outputs *= reduced[d] ? 1 : shape[d];
        }
        List<List<Double>> groups = new ArrayList<>();
        for (int i = 0; i < outputs; i++) {
            groups.add(new ArrayList<>());
        }
        for (int i = 0; i < values.length; i++) {
            int[] at = {i / (shape[1] * shape[2]), i / shape[2] % shape[1], i % shape[2]};
            int group = 0;
            for (int d = 0; d < 3; d++) {
                group = reduced[d] ? group : group * shape[d] + at[d];
            }
            groups.get(group).add(values[i]);
        }
        return groups;
    }

    @Test
    default void everyReductionOverAnyDimensionsEqualsItsDefinition() {
        boolean[][] choices = {{true, true, true}, {true, false, false}, {false, true, false}, {false, false, true},
                {true, false, true}, {false, true, true}};
        int[] shape = {6, 11, 13};
        for (ReduceOp op : ReduceOp.values()) {
            for (boolean[] reduced : choices) {
                boolean one = (reduced[0] ? 1 : 0) + (reduced[1] ? 1 : 0) + (reduced[2] ? 1 : 0) != 2;
                if ((op == ReduceOp.ARGMAX || op == ReduceOp.ARGMIN) && !one) {
                    continue;
                }
                for (DType dtype : FLOATS) {
                    for (Layout layout : Layout.values()) {
                        HostTensor in = random(dtype, layout, 1, 6, 11, 13);
                        HostTensor out = empty(resultOf(op, dtype), Layout.CONTIGUOUS, reduced[0] ? 1 : 6,
                                reduced[1] ? 1 : 11, reduced[2] ? 1 : 13);
                        kernels().reduce(op, out.operand(), in.operand(), 0);
                        double[] expected = groups(in.values(), shape, reduced).stream()
                                .mapToDouble(g -> reference(op, g)).toArray();
                        // float sums of up to 858 numbers near 1: errors are relative to their magnitudes
                        double scale = op == ReduceOp.SUM || op == ReduceOp.SUM_NUMBERS
                                ? 8
                                : op == ReduceOp.PROD ? 0 : 1;
                        double roundings = op == ReduceOp.PROD ? 100 : 4;
                        KernelsHarness.assertClose(out.operand().dtype(), expected, out.read(),
                                dtype == DType.FLOAT64 ? 64 : roundings, scale, op + " " + dtype + " " + layout);
                    }
                }
            }
        }
    }

    @Test
    default void integersAreSummedExactly() {
        HostTensor in = random(DType.INT32, Layout.TRANSPOSED, 3, 40, 50);
        HostTensor out = empty(DType.INT64, Layout.CONTIGUOUS, 1, 50);
        kernels().reduce(ReduceOp.SUM, out.operand(), in.operand(), 0);
        double[] expected = new double[50];
        for (int i = 0; i < 2000; i++) {
            expected[i % 50] += in.values()[i];
        }
        assertArrayEquals(expected, out.read());
    }

    @Test
    default void aMillionFloatsSumToWithinAFewRoundings() {
        HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, 4, 1_000_003);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1);
        kernels().reduce(ReduceOp.SUM, out.operand(), in.operand(), 0);
        double exact = 0;
        double magnitude = 0;
        for (double v : in.values()) {
            exact += v;
            magnitude += Math.abs(v);
        }
        assertEquals(exact, out.read()[0], magnitude * 1e-7);
    }

    @Test
    default void tallColumnsAndWideRowsSumAlikeAndTheSameEveryTime() {
        for (long[] shape : new long[][]{{70_000, 3}, {3000, 700}, {9, 40_000}}) {
            for (boolean rows : new boolean[]{true, false}) {
                HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, 5, shape);
                int kept = (int) (rows ? shape[0] : shape[1]);
                HostTensor out = rows
                        ? empty(DType.FLOAT32, Layout.CONTIGUOUS, kept, 1)
                        : empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, kept);
                kernels().reduce(ReduceOp.SUM, out.operand(), in.operand(), 0);
                double[] first = out.read();
                double[] expected = new double[kept];
                for (int i = 0; i < in.values().length; i++) {
                    expected[(int) (rows ? i / shape[1] : i % shape[1])] += in.values()[i];
                }
                KernelsHarness.assertClose(DType.FLOAT32, expected, first, 8,
                        Math.sqrt(in.values().length / (double) kept) * 4, "sum of " + shape[0] + "x" + shape[1]);
                kernels().reduce(ReduceOp.SUM, out.operand(), in.operand(), 0);
                assertArrayEquals(first, out.read());
            }
        }
    }

    @Test
    default void notANumberIsTheLargestAndTheSmallest() {
        HostTensor in = tensor(DType.FLOAT32, new long[]{2, 3}, 1, Double.NaN, 3, 4, 9, 9);
        HostTensor values = empty(DType.FLOAT32, Layout.CONTIGUOUS, 2, 1);
        HostTensor indices = empty(DType.INT64, Layout.CONTIGUOUS, 2, 1);
        kernels().reduce(ReduceOp.MAX, values.operand(), in.operand(), 0);
        assertArrayEquals(new double[]{Double.NaN, 9}, values.read());
        kernels().reduceWithIndex(true, values.operand(), indices.operand(), in.operand(), 1, 0);
        assertArrayEquals(new double[]{Double.NaN, 9}, values.read());
        assertArrayEquals(new double[]{1, 1}, indices.read());
        kernels().reduceWithIndex(false, values.operand(), indices.operand(), in.operand(), 1, 0);
        assertArrayEquals(new double[]{Double.NaN, 4}, values.read());
        assertArrayEquals(new double[]{1, 0}, indices.read());
    }

    @Test
    default void theVarianceOfOneValueIsNotANumberAndALargeMeanDoesNotHurt() {
        HostTensor one = tensor(DType.FLOAT32, new long[]{1, 1}, 5);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 1);
        // a reduced dimension of size 1 has the output's size: the whole tensor is reduced
        kernels().reduce(ReduceOp.VAR, out.operand(), one.operand(), 0);
        assertTrue(Double.isNaN(out.read()[0]));
        HostTensor far = tensor(DType.FLOAT32, new long[]{1, 4}, 1e7, 1e7 + 1, 1e7 + 2, 1e7 + 3);
        kernels().reduce(ReduceOp.VAR, out.operand(), far.operand(), 0);
        // of 0 1 2 3: mean 1.5, squares 2.25 0.25 0.25 2.25 = 5, over 3
        assertEquals(5 / 3.0, out.read()[0], 1e-6);
    }
}
