package io.vramlab.device.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.Operand;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.device.kernels.HostTensor.Layout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gathering, scattering, rows by index, sorting and triangles. */
interface IndexContract extends KernelsHarness {

    @Test
    default void gatherTakesAndScatterAddGivesBackAlongADimension() {
        for (DType dtype : DType.values()) {
            for (Layout layout : Layout.values()) {
                HostTensor in = random(dtype, layout, 1, 4, 6);
                HostTensor index = tensor(DType.INT64, new long[]{4, 3}, 0, 5, 5, 1, 1, 2, 3, 0, 3, 4, 4, 4);
                HostTensor out = empty(dtype, layout, 4, 3);
                kernels().gather(out.operand(), in.operand(), 1, index.operand(), 0);
                double[] expected = new double[12];
                double[] sums = new double[24];
                for (int i = 0; i < 12; i++) {
                    expected[i] = in.values()[i / 3 * 6 + (int) index.values()[i]];
                    sums[i / 3 * 6 + (int) index.values()[i]] += expected[i];
                }
                assertArrayEquals(expected, out.read(), dtype + " " + layout);
                HostTensor back = tensor(dtype, new long[]{4, 6}, new double[24]);
                kernels().scatterAdd(back.operand(), 1, index.operand(), out.operand(), 0);
                KernelsHarness.assertClose(dtype, sums, back.read(), 4, 4, "scatter " + dtype + " " + layout);
            }
        }
    }

    @Test
    default void anIndexMayBeSmallerThanWhatItReaches() {
        HostTensor in = tensor(DType.FLOAT32, new long[]{3, 3}, 0, 1, 2, 10, 11, 12, 20, 21, 22);
        HostTensor index = tensor(DType.INT64, new long[]{1, 2}, 2, 0);
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 1, 2);
        kernels().gather(out.operand(), in.operand(), 0, index.operand(), 0);
        assertArrayEquals(new double[]{20, 1}, out.read());
    }

    @Test
    default void rowsAreTakenByIndexAndAddedBackInOrder() {
        for (Layout layout : Layout.values()) {
            HostTensor in = random(DType.FLOAT32, layout, 2, 10, 7);
            HostTensor index = tensor(DType.INT64, new long[]{5}, 3, 9, 3, 0, 3);
            HostTensor out = empty(DType.FLOAT32, layout, 5, 7);
            kernels().indexSelect(out.operand(), in.operand(), index.operand(), 0);
            double[] expected = new double[35];
            double[] sums = new double[70];
            for (int i = 0; i < 35; i++) {
                expected[i] = in.values()[(int) index.values()[i / 7] * 7 + i % 7];
                sums[(int) index.values()[i / 7] * 7 + i % 7] += expected[i];
            }
            assertArrayEquals(expected, out.read());
            HostTensor back = tensor(DType.FLOAT32, new long[]{10, 7}, new double[70]);
            kernels().indexAdd(back.operand(), index.operand(), out.operand(), 0);
            KernelsHarness.assertClose(DType.FLOAT32, sums, back.read(), 4, 4, "index add " + layout);
        }
    }

    @Test
    default void scatteringCombinesWhatMeetsInTheOrderOfTheIndex() {
        HostTensor index = tensor(DType.INT64, new long[]{2, 3}, 0, 2, 0, 1, 1, 1);
        HostTensor in = tensor(DType.FLOAT32, new long[]{2, 3}, 2, 3, 4, 5, 6, 7);
        double[][] expected = {{4, 1, 3, 1, 7, 1}, {7, 1, 4, 1, 19, 1}, {8, 1, 3, 1, 210, 1}, {4, 1, 3, 1, 7, 1},
                {1, 1, 1, 1, 1, 1}};
        for (ScatterOp op : ScatterOp.values()) {
            HostTensor out = tensor(DType.FLOAT32, new long[]{2, 3}, 1, 1, 1, 1, 1, 1);
            kernels().scatter(op, out.operand(), 1, index.operand(), in.operand(), 0, 0);
            assertArrayEquals(expected[op.ordinal()], out.read(), op.toString());
        }
        HostTensor out = tensor(DType.INT64, new long[]{2, 3}, 1, 1, 1, 1, 1, 1);
        kernels().scatter(ScatterOp.SET, out.operand(), 1, index.operand(), null, 9, 0);
        assertArrayEquals(new double[]{9, 1, 9, 1, 9, 1}, out.read());
    }

    @Test
    default void severalIndicesMoveAnElementTogether() {
        HostTensor in = tensor(DType.FLOAT32, new long[]{2, 3}, 0, 1, 2, 10, 11, 12);
        HostTensor rows = tensor(DType.INT64, new long[]{4}, 0, 1, -1, 1);
        HostTensor columns = tensor(DType.INT64, new long[]{4}, 2, 0, 0, -1);
        Operand[] indices = {rows.operand(), columns.operand()};
        long[] sizes = {2, 3};
        long[] strides = {3, 1};
        Operand still = new Operand(in.operand().address(), DType.FLOAT32, new long[]{4}, new long[]{0});
        HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 4);
        kernels().indexGet(out.operand(), still, indices, sizes, strides, 0);
        assertArrayEquals(new double[]{2, 10, 10, 12}, out.read());
        HostTensor values = tensor(DType.FLOAT32, new long[]{4}, 100, 200, 400, 800);
        kernels().indexPut(ScatterOp.ADD, still, values.operand(), indices, sizes, strides, 0);
        assertArrayEquals(new double[]{0, 1, 102, 610, 11, 812}, in.read());
    }

    @Test
    default void scansCarryAlongAnyDimension() {
        HostTensor in = tensor(DType.FLOAT64, new long[]{3, 2}, 3, 1, 2, 0, -2, 7);
        double[][] sums = {{3, 1, 5, 1, 3, 8}, {3, 1, 6, 0, -12, 0}, {3, 1, 3, 1, 3, 7}, {3, 1, 2, 0, -2, 0}};
        for (ScanOp op : new ScanOp[]{ScanOp.SUM, ScanOp.PROD, ScanOp.MAX, ScanOp.MIN}) {
            HostTensor out = empty(DType.FLOAT64, Layout.CONTIGUOUS, 3, 2);
            HostTensor at = tensor(DType.INT64, new long[]{3, 2}, new double[6]);
            boolean places = op == ScanOp.MAX || op == ScanOp.MIN;
            kernels().scan(op, out.operand(), places ? at.operand() : null, in.operand(), 0, 0);
            assertArrayEquals(sums[op.ordinal()], out.read(), op.toString());
            if (op == ScanOp.MAX) {
                assertArrayEquals(new double[]{0, 0, 0, 0, 0, 2}, at.read());
            }
        }
    }

    @Tag("loses-device")
    @Test
    default void anIndexOutOfRangeIsAFaultAndTouchesNothing() {
        for (long bad : indicesOutsideFive()) {
            HostTensor in = random(DType.FLOAT32, Layout.CONTIGUOUS, 3, 5, 2);
            HostTensor index = tensor(DType.INT64, new long[]{2}, 0, bad);
            HostTensor out = empty(DType.FLOAT32, Layout.CONTIGUOUS, 2, 2);
            DeviceFaultException fault = assertThrows(DeviceFaultException.class, () -> {
                kernels().indexSelect(out.operand(), in.operand(), index.operand(), 0);
                driver().synchronize();
            });
            assertEquals(true, fault.getMessage().startsWith("CUDA error: device-side assert triggered")
                    || fault.getMessage().contains(String.valueOf(bad)), fault.getMessage());
            if (bad != 5) {
                restart();
            }
        }
    }

    /** 5 comes last: a device that cannot be restarted is asked for nothing after its fault. */
    default long[] indicesOutsideFive() {
        return new long[]{-1, 1L << 40, 5};
    }

    /** A device without its fault. */
    void restart();

    @Test
    default void theLargestComeFirstWithTheirPlacesAndNotANumberIsLargest() {
        HostTensor in = tensor(DType.FLOAT32, new long[]{2, 4}, 1, 4, 4, -2, 0, Double.NaN, 7, -0.0);
        HostTensor values = empty(DType.FLOAT32, Layout.CONTIGUOUS, 2, 3);
        HostTensor indices = empty(DType.INT64, Layout.CONTIGUOUS, 2, 3);
        kernels().topk(values.operand(), indices.operand(), in.operand(), true, 0);
        assertArrayEquals(new double[]{4, 4, 1, Double.NaN, 7, 0}, values.read());
        assertArrayEquals(new double[]{1, 2, 0, 1, 2, 0}, indices.read());
    }

    @Test
    default void sortingEqualsTheLibrarysInEveryDtype() {
        for (DType dtype : DType.values()) {
            for (boolean largest : new boolean[]{true, false}) {
                HostTensor in = random(dtype, Layout.TRANSPOSED, 4, 3, 211);
                HostTensor values = empty(dtype, Layout.CONTIGUOUS, 3, 211);
                HostTensor indices = empty(DType.INT64, Layout.CONTIGUOUS, 3, 211);
                kernels().topk(values.operand(), indices.operand(), in.operand(), largest, 0);
                double[] got = values.read();
                double[] places = indices.read();
                for (int r = 0; r < 3; r++) {
                    double[] row = Arrays.copyOfRange(in.values(), r * 211, (r + 1) * 211);
                    Comparator<Integer> order = Comparator.comparingDouble(i -> row[i]);
                    int[] expected = IntStream.range(0, 211).boxed().sorted(largest ? order.reversed() : order)
                            .mapToInt(i -> i).toArray();
                    for (int i = 0; i < 211; i++) {
                        assertEquals(row[expected[i]], got[r * 211 + i], dtype + " value " + i);
                        assertEquals(expected[i], places[r * 211 + i], dtype + " index " + i);
                    }
                }
            }
        }
    }

    @Test
    default void aTriangleKeepsItsSideOfTheDiagonal() {
        for (DType dtype : new DType[]{DType.FLOAT32, DType.INT64}) {
            for (int diagonal = -4; diagonal <= 5; diagonal++) {
                for (boolean upper : new boolean[]{true, false}) {
                    HostTensor in = random(dtype, Layout.TRANSPOSED, 5, 2, 3, 4);
                    HostTensor out = empty(dtype, Layout.CONTIGUOUS, 2, 3, 4);
                    kernels().triangle(out.operand(), in.operand(), upper, diagonal, 0);
                    double[] expected = in.values().clone();
                    for (int i = 0; i < 24; i++) {
                        int distance = i % 4 - i / 4 % 3;
                        expected[i] = (upper ? distance >= diagonal : distance <= diagonal) ? expected[i] : 0;
                    }
                    assertArrayEquals(expected, out.read(), "diagonal " + diagonal + " upper " + upper);
                }
            }
        }
    }

    @Test
    default void aRangeStepsFromItsStart() {
        HostTensor out = empty(DType.INT64, Layout.CONTIGUOUS, 4);
        kernels().arange(out.operand(), 5, -2, 0);
        assertArrayEquals(new double[]{5, 3, 1, -1}, out.read());
        HostTensor fractions = empty(DType.FLOAT32, Layout.CONTIGUOUS, 3);
        kernels().arange(fractions.operand(), 0, 0.1, 0);
        assertArrayEquals(new double[]{0, 0.1f, 0.2f}, fractions.read());
    }
}
