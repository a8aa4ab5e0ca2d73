package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.Test;

/** searchsorted and bucketize put values where PyTorch's do (2.11, on the CPU), and take what its kernel takes. */
class SortedPlacesTest {

    private static final float NAN = Float.NaN;

    @Test
    void valuesLieBeforeOrBehindWhatIsEqualAndNaNLast() {
        try (Tensor sorted = Tensor.of(1f, 3f, 3f, 5f);
                Tensor values = Tensor.of(0f, 1f, 3f, 4f, 5f, 9f, NAN);
                Tensor before = Tensor.searchsorted(sorted, values);
                Tensor behind = Tensor.searchsorted(sorted, values, true);
                Tensor parts = values.bucketize(sorted, true)) {
            assertArrayEquals(new long[]{0, 0, 1, 3, 3, 4, 4}, before.toLongArray());
            assertArrayEquals(new long[]{0, 1, 3, 3, 4, 4, 4}, behind.toLongArray());
            assertArrayEquals(behind.toLongArray(), parts.toLongArray());
        }
    }

    @Test
    void eachRowIsLookedUpInItsOwn() {
        try (Tensor sorted = Tensor.of(1f, 2f, 3f, 10f, 20f, 30f).view(2, 3);
                Tensor values = Tensor.of(2f, 9f, 2f, 25f).view(2, 2);
                Tensor found = Tensor.searchsorted(sorted, values)) {
            assertArrayEquals(new long[]{1, 3, 0, 2}, found.toLongArray());
        }
    }

    @Test
    void aResultOfEightBytesAnElementIsTakenAndCopiesOfWhatDoesNotLiePacked() {
        Device before = Device.current();
        try (Device device = Device.shapesOnly("1GiB")) {
            Device.set(device);
            try (Tensor sorted = Tensor.empty(64); Tensor wide = Tensor.empty(512, 1024); Tensor turned = wide.t()) {
                long held = Cuda.memoryAllocated();
                Cuda.resetPeakMemoryStats();
                try (Tensor found = Tensor.searchsorted(sorted, turned)) {
                    // 512 x 1,024 places of 8 bytes, meanwhile a copy of as many float32
                    assertEquals(512 * 1024 * 8, Cuda.memoryAllocated() - held);
                    assertEquals(512 * 1024 * (8 + 4), Cuda.maxMemoryAllocated() - held);
                }
            }
        } finally {
            Device.set(before);
        }
    }

    @Test
    void rowsThatDoNotFitAreRefused() {
        try (Tensor sorted = Tensor.ones(2, 3); Tensor values = Tensor.ones(3, 3)) {
            assertThrows(TensorException.class, () -> Tensor.searchsorted(sorted, values));
            assertThrows(TensorException.class, () -> values.bucketize(sorted));
        }
    }
}
