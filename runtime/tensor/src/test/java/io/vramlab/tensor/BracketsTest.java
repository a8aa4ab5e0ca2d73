package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.Test;

/** Python's brackets. */
class BracketsTest {

    private static Tensor counting(long... shape) {
        try (Tensor flat = Tensor.arange(Shape.count(shape))) {
            return flat.toFloat().view(shape);
        }
    }

    @Test
    void numbersSlicesAndDotsGiveViews() {
        Tensor a = counting(2, 3, 4);
        assertArrayEquals(new float[]{12, 13, 14, 15}, a.index(1, 0).toFloatArray());
        assertArrayEquals(new float[]{3, 7, 11, 15, 19, 23}, a.index("...", -1).toFloatArray());
        assertArrayEquals(new long[]{2, 1, 4}, a.index(":", "1:2").shape());
        assertArrayEquals(new long[]{2, 1, 3, 2}, a.index(":", null, ":", "::2").shape());
        Tensor view = a.index(0, "1:");
        view.fill_(0);
        assertEquals(0, a.get(0, 2, 3));
    }

    @Test
    void tensorsTakeElementsWhereverTheyStand() {
        Tensor a = counting(2, 3, 4);
        Tensor i = Tensor.of(2L, 0L);
        assertArrayEquals(new long[]{2, 2, 4}, a.index(":", i).shape());
        assertArrayEquals(new float[]{8, 9, 10, 11, 0, 1, 2, 3, 20, 21, 22, 23, 12, 13, 14, 15},
                a.index(":", i).toFloatArray());
        // apart from each other, their dimension comes first
        assertArrayEquals(new long[]{2, 3}, a.index(Tensor.of(0L, 1L), ":", i).shape());
        assertArrayEquals(new float[]{2, 6, 10, 12, 16, 20}, a.index(Tensor.of(0L, 1L), ":", i).toFloatArray());
        assertArrayEquals(new float[]{23}, a.index(Tensor.of(-1L), Tensor.of(-1L), Tensor.of(-1L)).toFloatArray());
    }

    @Test
    void aMaskTakesWhatIsTrueAndIsWrittenTo() {
        Tensor a = counting(2, 3);
        assertArrayEquals(new float[]{3, 4, 5}, a.index(a.gt(2.5)).toFloatArray());
        a.set(-1, a.gt(2.5));
        assertArrayEquals(new float[]{0, 1, 2, -1, -1, -1}, a.toFloatArray());
        a.set(Tensor.of(7f, 8f, 9f), a.lt(0));
        assertArrayEquals(new float[]{0, 1, 2, 7, 8, 9}, a.toFloatArray());
        assertArrayEquals(new float[]{7, 8, 9}, a.index(Tensor.of(false, true)).flatten().toFloatArray());
    }

    @Test
    void aRowIsSetThatHasDimensionsOfOneTooMany() {
        Tensor a = counting(3, 2);
        a.set(counting(1, 1, 2), 1);
        assertArrayEquals(new float[]{0, 1, 0, 1, 4, 5}, a.toFloatArray());
    }

    @Test
    void allOfADimensionIsNoSliceHoweverItIsSaid() {
        Tensor a = counting(3, 2).requiresGrad_(true);
        assertEquals(a.index(":").gradFn(), a.index(":3", "0:2").gradFn());
        assertEquals("SliceBackward0", a.index(":2").gradFn());
    }

    @Test
    void whereAnIndexRepeatsGradientsAdd() {
        Tensor a = counting(3, 2).requiresGrad_(true);
        a.index(Tensor.of(0L, 0L, 2L), Tensor.of(1L, 1L, 0L)).sum().backward();
        assertArrayEquals(new float[]{0, 2, 0, 0, 1, 0}, a.grad().toFloatArray());
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Tensor a = counting(2, 3);
        assertTrue(assertThrows(TensorException.class, () -> a.index(2)).getMessage().contains("out of bounds"));
        assertTrue(
                assertThrows(TensorException.class, () -> a.index(0, 0, 0)).getMessage().contains("too many indices"));
        assertTrue(
                assertThrows(TensorException.class, () -> a.index("1-2")).getMessage().contains("a text is a slice"));
        assertTrue(assertThrows(TensorException.class, () -> a.index(Tensor.of(true, false, true))).getMessage()
                .contains("does not match"));
        assertTrue(assertThrows(TensorException.class, () -> a.index(Tensor.of(0f))).getMessage().contains("long"));
        assertTrue(assertThrows(TensorException.class, () -> a.set(Tensor.of(1f, 2f), 0)).getMessage()
                .contains("shape"));
    }

    @Test
    void aDeviceWithoutValuesRefusesWhatDependsOnThemAndGivesTheRest() {
        Device dry = Device.shapesOnly("1GiB");
        try (dry) {
            Tensor a = Tensor.zeros(TensorOptions.on(dry), 4, 5);
            assertTrue(
                    assertThrows(TensorException.class, () -> a.nonzero()).getMessage().contains("depends on values"));
            assertArrayEquals(new long[]{2, 5}, a.index(Tensor.zeros(TensorOptions.of(io.vramlab.device.DType.INT64)
                    .device(dry), 2)).shape());
            // a tensor of that form: its values are none that anybody computed
            assertArrayEquals(new long[]{4, 5}, a.cpu().shape());
            a.close();
        }
    }

    @Test
    void flippedMemoryIsReadFromTheOtherEnd() {
        Tensor a = counting(2, 3);
        assertArrayEquals(new float[]{5, 4, 3, 2, 1, 0}, a.flip(0, 1).toFloatArray());
        assertArrayEquals(new float[]{2, 1, 0, 5, 4, 3}, a.flip(-1).toFloatArray());
        assertArrayEquals(new float[]{2, 5, 1, 4, 0, 3}, a.rot90().toFloatArray());
    }
}
