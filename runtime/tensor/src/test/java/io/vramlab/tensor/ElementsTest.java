package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values come out of a tensor as Java numbers and nested arrays, and go in again. */
class ElementsTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("64MiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
        Pressure.strict(true);
    }

    @AfterEach
    void giveBack() {
        Pressure.strict(false);
        Device.set(before);
        device.close();
    }

    @Test
    void anElementIsFoundByItsIndicesWhateverTheStrides() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.arange(24).view(2, 3, 4);
            Tensor turned = x.permute(2, 0, 1).slice(0, 1, 4, 2);
            for (long i = 0; i < 2; i++) {
                for (long j = 0; j < 2; j++) {
                    for (long k = 0; k < 3; k++) {
                        long expected = j * 12 + k * 4 + 1 + 2 * i;
                        assertEquals(expected, turned.getLong(i, j, k));
                        assertEquals(expected, turned.get(i - 2, j - 2, k - 3));
                    }
                }
            }
        }
    }

    @Test
    void anElementOfEveryDtypeIsANumberOfItsKind() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.of(2.75f, -1.5f, 0, 200);
            for (DType dtype : DType.values()) {
                Tensor t = x.abs().to(dtype);
                boolean fraction = dtype.isFloatingPoint();
                boolean truth = dtype == DType.BOOL;
                assertEquals(truth ? 1 : fraction ? 2.75 : 2, t.get(0), dtype.label());
                assertEquals(truth ? 1 : fraction ? 1.5 : 1, t.select(0, 1).item(), dtype.label());
                assertEquals(truth ? 1 : 200, t.select(0, -1).itemLong(), dtype.label());
                assertFalse(t.select(0, 2).itemBoolean(), dtype.label());
                assertTrue(t.select(0, 3).itemBoolean(), dtype.label());
            }
        }
    }

    @Test
    void aWholeNumberBeyondADoubleIsReadExactly() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.of(Long.MAX_VALUE, (1L << 53) + 1, Long.MIN_VALUE, 1L << 60);
            assertEquals(Long.MAX_VALUE, x.getLong(0));
            assertEquals((1L << 53) + 1, x.select(0, 1).itemLong());
            assertEquals(-0x1p63, x.get(2));
            assertEquals(0x1p60, x.get(3));
        }
    }

    @Test
    void anArrayHasTheTensorsShapeAndATypeThatHoldsItsValues() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.arange(6).view(2, 3);
            Map<DType, Object> expected = Map.of(DType.FLOAT32, new float[][]{{0, 1, 2}, {3, 4, 5}}, DType.FLOAT64,
                    new double[][]{{0, 1, 2}, {3, 4, 5}}, DType.FLOAT16, new float[][]{{0, 1, 2}, {3, 4, 5}},
                    DType.BFLOAT16, new float[][]{{0, 1, 2}, {3, 4, 5}}, DType.INT64,
                    new long[][]{{0, 1, 2}, {3, 4, 5}}, DType.INT32, new int[][]{{0, 1, 2}, {3, 4, 5}}, DType.UINT8,
                    new int[][]{{0, 1, 2}, {3, 4, 5}}, DType.BOOL,
                    new boolean[][]{{false, true, true}, {true, true, true}});
            assertEquals(DType.values().length, expected.size());
            expected.forEach((dtype, array) -> {
                Object got = x.to(dtype).toArray();
                assertEquals(array.getClass(), got.getClass(), dtype.label());
                assertArrayEquals((Object[]) array, (Object[]) got, dtype.label());
            });
            assertArrayEquals(new long[][]{{0, 3}, {1, 4}, {2, 5}}, x.t().toArray(long[][].class));
            assertEquals(15L, x.sum().toArray());
            assertEquals(float[][][].class, Tensor.zeros(0, 3, 2).toArray().getClass());
            assertEquals(3, Tensor.zeros(2, 3, 0).toArray(float[][][].class)[1].length);
        }
    }

    @Test
    void whatComesOutAsAnArrayGoesInAgain() {
        try (Scope s = Scope.open()) {
            for (DType dtype : new DType[]{DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32, DType.BOOL}) {
                Tensor x = Tensor.arange(24).view(2, 3, 4).to(dtype);
                Tensor again = Tensor.ofNested(x.toArray());
                assertEquals(dtype, again.dtype());
                assertArrayEquals(x.shape(), again.shape());
                assertArrayEquals(x.toDoubleArray(), again.toDoubleArray());
                assertEquals(device, again.device());
            }
            Tensor half = Tensor.ofNested(TensorOptions.of(DType.FLOAT16).requiresGrad(true), new double[]{1.5, 2.5});
            assertEquals(DType.FLOAT16, half.dtype());
            assertTrue(half.requiresGrad());
            assertEquals(0, Tensor.ofNested(7.5).dim());
            assertEquals(7.5, Tensor.ofNested(7.5).item());
        }
    }

    @Test
    void readingAnElementOfAViewTakesNoMemory() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.randn(30, 40).t().requiresGrad_(true);
            Tensor y = x.slice(0, 0, 40, 3);
            int tensors = LiveTensors.open();
            Object figures = Allocators.of(device).stats().asMap();
            double sum = y.get(3, 4) + y.get(-1, -1) + y.getLong(0, 0) + y.select(0, 1).select(0, 2).item();
            assertTrue(Double.isFinite(sum));
            assertEquals(figures, Allocators.of(device).stats().asMap());
            assertEquals(tensors + 2, LiveTensors.open(), "the two selected views");
        }
    }

    @Test
    void anArrayLeavesNoAllocationBehind() {
        try (Scope s = Scope.open()) {
            Tensor x = Tensor.randn(30, 40).t();
            long allocated = Allocators.of(device).stats().allocatedBytes();
            int tensors = LiveTensors.open();
            float[][] rows = x.toArray(float[][].class);
            float[] flat = x.toFloatArray();
            assertArrayEquals(Arrays.copyOf(flat, 30), rows[0]);
            assertEquals(allocated, Allocators.of(device).stats().allocatedBytes());
            assertEquals(tensors, LiveTensors.open());
        }
    }
}
