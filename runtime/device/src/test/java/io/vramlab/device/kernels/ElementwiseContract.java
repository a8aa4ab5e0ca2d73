package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Element operations against their definitions in double. */
interface ElementwiseContract extends KernelsHarness {

    private static Operand[] operands(HostTensor... tensors) {
        return Arrays.stream(tensors).map(HostTensor::operand).toArray(Operand[]::new);
    }

    @Test
    default void everyFloatOperationEqualsItsDefinitionInEveryDtypeAndLayout() {
        for (ElementOp op : ElementOp.values()) {
            ElementReference.Definition definition = ElementReference.of(op);
            for (DType dtype : FLOATS) {
                for (Layout layout : Layout.values()) {
                    HostTensor a = inputFor(op, dtype, layout, 1);
                    HostTensor b = op == ElementOp.BCE_BACKWARD
                            ? inputFor(op, dtype, Layout.CONTIGUOUS, 2)
                            : random(dtype, Layout.CONTIGUOUS, 2, 7, 5, 9);
                    HostTensor c = random(dtype, Layout.SPREAD, 3, 7, 5, 9);
                    DType result = ElementReference.writesBool(op) ? DType.BOOL : dtype;
                    HostTensor out = empty(result, layout, 7, 5, 9);
                    // both exactly representable in every dtype
                    double[] scalars = {0.75, 1.5};
                    kernels().elementwise(op, scalars, out.operand(),
                            Arrays.copyOf(operands(a, b, c), op.inputs()), 0);
                    double[] expected = new double[a.values().length];
                    for (int i = 0; i < expected.length; i++) {
                        expected[i] = definition.apply(a.values()[i], b.values()[i], c.values()[i], 0.75, 1.5);
                    }
                    // what is summed can cancel: errors are relative to the terms, which are of magnitude up to 4
                    KernelsHarness.assertClose(result, expected, out.read(),
                            dtype == DType.FLOAT64 && ElementReference.isNumerical(op) ? 1e5 : 8,
                            dtype == DType.FLOAT64 ? 16 : 4,
                            op + " " + dtype + " " + layout);
                }
            }
        }
    }

    private HostTensor inputFor(ElementOp op, DType dtype, Layout layout, long seed) {
        HostTensor a = random(dtype, layout, seed, 7, 5, 9);
        boolean positive = switch (op) {
            case LOG, LOG2, LOG10, SQRT, RSQRT, LOG1P, POW, POW_SCALAR, LGAMMA, DIGAMMA, TRIGAMMA, ENTROPY -> true;
            default -> false;
        };
        double[] values = a.values().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] = positive ? Math.abs(values[i]) + 0.125 : op == ElementOp.WHERE && i % 2 == 0 ? 0 : values[i];
            switch (op) {
                // probabilities, and what has an inverse
                case BCE, BCE_BACKWARD -> values[i] = 0.125 + 0.75 * (Math.abs(values[i]) % 1);
                case ASIN, ACOS, ATANH, ERF_INV -> values[i] = 0.75 * (values[i] % 1);
                case ACOSH -> values[i] = 1.25 + Math.abs(values[i]);
                default -> {
                    // any number
                }
            }
        }
        return HostTensor.of(driver(), dtype, layout, new long[]{7, 5, 9}, values);
    }

    @Test
    default void aBroadcastRowAndAScalarAreReadWithStrideZero() {
        HostTensor row = random(DType.FLOAT32, Layout.CONTIGUOUS, 4, 1500);
        HostTensor one = random(DType.FLOAT32, Layout.CONTIGUOUS, 5);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 3, 1500);
        Operand scalar = new Operand(one.operand().address(), DType.FLOAT32, new long[]{3, 1500}, new long[]{0, 0});

        kernels().elementwise(ElementOp.MUL, new double[0], out.operand(), new Operand[]{row.repeated(3), scalar}, 0);

        double[] got = out.read();
        for (int i = 0; i < got.length; i++) {
            assertEquals((float) row.values()[i % 1500] * (float) one.values()[0], got[i], "element " + i);
        }
    }

    @Test
    default void aLargeTransposedCopyMovesEveryElement() {
        for (DType dtype : new DType[]{DType.FLOAT32, DType.INT32, DType.FLOAT16}) {
            for (long[] shape : new long[][]{{2, 2}, {33, 65}, {700, 431}}) {
                HostTensor a = random(dtype, Layout.TRANSPOSED, 12, shape);
                HostTensor out = empty(dtype, Layout.CONTIGUOUS, shape);
                kernels().elementwise(ElementOp.COPY, new double[0], out.operand(), operands(a), 0);
                assertArrayEquals(a.values(), out.read(), dtype + " " + Arrays.toString(shape));
            }
        }
    }

    @Test
    default void inPlaceAddsUpOverMoreThanOneTileAndThread() {
        HostTensor a = random(DType.FLOAT32, Layout.CONTIGUOUS, 6, 300_001);
        HostTensor b = random(DType.FLOAT32, Layout.CONTIGUOUS, 7, 300_001);

        kernels().elementwise(ElementOp.ADD, new double[]{1}, a.operand(), operands(a, b), 0);

        double[] got = a.read();
        for (int i = 0; i < got.length; i++) {
            assertEquals((float) a.values()[i] + (float) b.values()[i], got[i], "element " + i);
        }
    }

    @Test
    default void notANumberWinsInMaximumReluAndClamp() {
        HostTensor a = tensor(DType.FLOAT32, new long[]{4}, Double.NaN, 1, -2, Double.NEGATIVE_INFINITY);
        HostTensor b = tensor(DType.FLOAT32, new long[]{4}, 0, Double.NaN, 3, Double.POSITIVE_INFINITY);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 4);

        kernels().elementwise(ElementOp.MAXIMUM, new double[0], out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{Double.NaN, Double.NaN, 3, Double.POSITIVE_INFINITY}, out.read());
        kernels().elementwise(ElementOp.MINIMUM, new double[0], out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{Double.NaN, Double.NaN, -2, Double.NEGATIVE_INFINITY}, out.read());
        kernels().elementwise(ElementOp.RELU, new double[0], out.operand(), operands(a), 0);
        assertArrayEquals(new double[]{Double.NaN, 1, 0, 0}, out.read());
        kernels().elementwise(ElementOp.CLAMP, new double[]{-1, 0.5}, out.operand(), operands(a), 0);
        assertArrayEquals(new double[]{Double.NaN, 0.5, -1, -1}, out.read());
    }

    @Test
    default void exponentialsKeepTheirEnds() {
        double[] x = {0, -0.0, 88.7, 89, 200, -87.3, -100, -104, -200, Double.NaN, Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY};
        for (ElementOp op : new ElementOp[]{ElementOp.EXP, ElementOp.TANH, ElementOp.SIGMOID, ElementOp.GELU,
                ElementOp.SILU, ElementOp.ERF, ElementOp.GELU_TANH}) {
            HostTensor a = tensor(DType.FLOAT32, new long[]{x.length}, x);
            HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, x.length);
            kernels().elementwise(op, new double[0], out.operand(), operands(a), 0);
            double[] expected = Arrays.stream(a.values()).map(v -> ElementReference.of(op).apply(v, 0, 0, 0, 0))
                    .toArray();
            // absolute near zero: 1 / (1 + exp(100)) is 0 in float, as in PyTorch
            KernelsHarness.assertClose(DType.FLOAT32, expected, out.read(), 8, 1e-30, op.toString());
        }
    }

    @Test
    default void theScaledErrorFunctionOverflowsOnlyWhereItsValueDoes() {
        double[] x = {0, -0.0, 0.5, 2.5, 9, 27, 1e4, 1e10, 1e30, -0.5, -1, -2.5, -9, -26, -27, -1e30, Double.NaN,
                Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (DType dtype : new DType[]{DType.FLOAT32, DType.FLOAT64}) {
            HostTensor a = tensor(dtype, new long[]{x.length}, x);
            HostTensor out = empty(dtype, Layout.CONTIGUOUS, x.length);
            kernels().elementwise(ElementOp.ERFCX, new double[0], out.operand(), operands(a), 0);
            double[] expected = Arrays.stream(a.values())
                    .map(v -> ElementReference.of(ElementOp.ERFCX).apply(v, 0, 0, 0, 0)).toArray();
            // relative, for small values too: about 1 / (x sqrt(pi)) to the right
            KernelsHarness.assertClose(dtype, expected, out.read(), 24, 1e-300, dtype.toString());
        }
    }

    @Test
    default void roundingGoesToTheEvenNeighbour() {
        HostTensor a = tensor(DType.FLOAT32, new long[]{5}, 0.5, 1.5, 2.5, -0.5, -1.5);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 5);
        kernels().elementwise(ElementOp.ROUND, new double[0], out.operand(), operands(a), 0);
        assertArrayEquals(new double[]{0, 2, 2, -0.0, -2}, out.read());
    }

    @Test
    default void integersWrapAndDivideTowardsZero() {
        HostTensor a = tensor(DType.INT32, new long[]{4}, Integer.MAX_VALUE, -7, 7, 5);
        HostTensor b = tensor(DType.INT32, new long[]{4}, 1, 2, -2, 5);
        HostTensor out = empty(DType.INT32, Layout.CONTIGUOUS, 4);
        kernels().elementwise(ElementOp.ADD, new double[]{1}, out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{Integer.MIN_VALUE, -5, 5, 10}, out.read());
        kernels().elementwise(ElementOp.DIV, new double[0], out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{Integer.MAX_VALUE, -3, -3, 1}, out.read());
        HostTensor bytes = tensor(DType.UINT8, new long[]{2}, 200, 100);
        HostTensor sum = empty(DType.UINT8, Layout.CONTIGUOUS, 2);
        // 200 + 200 = 400 = 256 + 144
        kernels().elementwise(ElementOp.ADD, new double[]{1}, sum.operand(), operands(bytes, bytes), 0);
        assertArrayEquals(new double[]{144, 200}, sum.read());
    }

    @Test
    default void divisionOfIntegersByZeroEndsNobody() {
        HostTensor a = tensor(DType.INT64, new long[]{2}, 7, 6);
        HostTensor b = tensor(DType.INT64, new long[]{2}, 0, 3);
        HostTensor out = empty(DType.INT64, Layout.CONTIGUOUS, 2);
        kernels().elementwise(ElementOp.DIV, new double[0], out.operand(), operands(a, b), 0);
        assertEquals(2, out.read()[1]);
    }

    @Test
    default void truthValuesAddAsOrAndMultiplyAsAnd() {
        HostTensor a = tensor(DType.BOOL, new long[]{4}, 0, 0, 1, 1);
        HostTensor b = tensor(DType.BOOL, new long[]{4}, 0, 1, 0, 1);
        HostTensor out = empty(DType.BOOL, Layout.CONTIGUOUS, 4);
        kernels().elementwise(ElementOp.ADD, new double[]{1}, out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{0, 1, 1, 1}, out.read());
        kernels().elementwise(ElementOp.MUL, new double[0], out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{0, 0, 0, 1}, out.read());
    }

    @Test
    default void everyDtypeIsCastToEveryOther() {
        for (DType from : DType.values()) {
            for (DType to : DType.values()) {
                HostTensor a = from.isFloatingPoint()
                        ? tensor(from, new long[]{5}, 0, 1.75, 2.5, 100.125, 0.25)
                        : tensor(from, new long[]{5}, 0, 1, 2, 100, 255);
                HostTensor out = empty(to, Layout.SPREAD, 5);
                kernels().elementwise(ElementOp.COPY, new double[0], out.operand(), operands(a), 0);
                double[] expected = Arrays.stream(a.values()).map(HostTensor.rounding(to)).toArray();
                assertArrayEquals(expected, out.read(), from + " to " + to);
            }
        }
    }

    @Test
    default void largeIntegersKeepEveryBit() {
        long big = (1L << 62) + 1;
        HostTensor a = empty(DType.INT64, Layout.CONTIGUOUS, 1);
        kernels().elementwise(ElementOp.FILL, new double[]{1L << 62}, a.operand(), new Operand[0], 0);
        kernels().elementwise(ElementOp.ADD_SCALAR, new double[]{1}, a.operand(), operands(a), 0);
        kernels().elementwise(ElementOp.SUB, new double[]{1}, a.operand(), operands(a, a), 0);
        assertEquals(0, a.read()[0], "x - x for x = " + big);
    }

    @Test
    default void comparisonsOfMixedIntegersWriteBool() {
        HostTensor a = tensor(DType.INT64, new long[]{3}, 1, 2, 3);
        HostTensor b = tensor(DType.INT32, new long[]{3}, 2, 2, 2);
        HostTensor out = empty(DType.BOOL, Layout.CONTIGUOUS, 3);
        kernels().elementwise(ElementOp.LT, new double[0], out.operand(), operands(a, b), 0);
        assertArrayEquals(new double[]{1, 0, 0}, out.read());
        kernels().elementwise(ElementOp.GT_SCALAR, new double[]{1.5}, out.operand(), operands(a), 0);
        assertArrayEquals(new double[]{0, 1, 1}, out.read());
    }

    @Test
    default void nothingHappensToAnEmptyTensor() {
        Operand nothing = new Operand(0, DType.FLOAT32, new long[]{0, 3}, new long[]{3, 1});
        kernels().elementwise(ElementOp.EXP, new double[0], nothing, new Operand[]{nothing}, 0);
        driver().synchronize();
    }

    @Test
    default void manyTensorsAreTreatedAsEachAlone() {
        HostTensor[] all = {random(DType.FLOAT32, Layout.CONTIGUOUS, 8, 10),
                random(DType.FLOAT32, Layout.CONTIGUOUS, 9, 3, 700), random(DType.FLOAT32, Layout.CONTIGUOUS, 10, 1)};
        Operand[] outs = operands(all);
        Operand[][] inputs = Arrays.stream(outs).map(o -> new Operand[]{o}).toArray(Operand[][]::new);
        kernels().foreach(ElementOp.MUL_SCALAR, new double[][]{{2}, {3}, {4}}, outs, inputs, 0);
        for (int t = 0; t < all.length; t++) {
            int factor = t + 2;
            assertArrayEquals(Arrays.stream(all[t].values()).map(v -> (float) v * factor).toArray(), all[t].read());
        }
    }
}
