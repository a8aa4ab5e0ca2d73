package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.type.TensorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifetimeTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private long allocated() {
        return Allocators.of(device).stats().get("allocated_bytes.all.current");
    }

    @Test
    void closingGivesTheMemoryBackAtOnce() {
        Tensor a = Tensor.zeros(256, 256);
        // 256 * 256 * 4 bytes is a multiple of 512
        assertEquals(262_144, allocated());
        a.close();
        assertEquals(0, allocated());
    }

    @Test
    void aViewKeepsTheStorageAlive() {
        Tensor a = Tensor.arange(10);
        Tensor row = a.slice(0, 2, 5);
        a.close();
        assertArrayEquals(new long[]{2, 3, 4}, row.toLongArray());
        row.close();
        assertEquals(0, allocated());
    }

    @Test
    void aScopeClosesWhatWasMadeInsideAndNotKept() {
        Tensor kept;
        try (Scope s = Scope.open()) {
            Tensor a = Tensor.ones(128);
            kept = s.keep(a.add(a).mul(2.0));
        }
        assertEquals(512, allocated());
        assertEquals(4, kept.slice(0, 0, 1).item());
    }

    @Test
    void aRefReleasesTheOldValueAfterTheNewOneExists() {
        try (Ref<Tensor> x = new Ref<>(Tensor.zeros(128))) {
            Allocators.of(device).resetPeakMemoryStats();
            x.set(x.get().add(1));
            assertEquals(512, allocated());
            assertEquals(1024, Allocators.of(device).stats().get("allocated_bytes.all.peak"));
        }
        assertEquals(0, allocated());
    }

    @Test
    void useAfterCloseNamesTheTensor() {
        Tensor a = Tensor.zeros(2, 3);
        a.close();
        TensorException e = assertThrows(TensorException.class, () -> a.add(1));
        assertTrue(e.getMessage().contains("float32[2, 3]") && e.getMessage().contains("closed"), e.getMessage());
    }

    @Test
    void aDroppedTensorIsCollectedAndCounted() throws InterruptedException {
        Collected start = LiveTensors.collected();
        dropOne();
        for (int i = 0; i < 50 && allocated() > 0; i++) {
            System.gc();
            Thread.sleep(10);
            LiveTensors.drain();
        }
        assertEquals(0, allocated());
        assertTrue(LiveTensors.collected().minus(start).handles() >= 1);
        assertTrue(LiveTensors.collected().minus(start).bytes() >= 4096);
    }

    private void dropOne() {
        Tensor.zeros(1024);
    }

    @Test
    void pressureCollectsDroppedTensorsBeforeGivingUp() {
        for (int i = 0; i < 8; i++) {
            Tensor.empty(100 << 18);
        }
        // 8 * 100 MiB fit in 1 GiB; these do only if the dropped ones are found
        for (int i = 0; i < 20; i++) {
            Tensor.empty(100 << 18);
        }
        assertTrue(LiveTensors.collectedUnderPressure().handles() > 0);
    }

    @Test
    void impossibleShapesAreRefusedWithMemoryAsBefore() {
        assertThrows(TensorException.class, () -> Tensor.zeros(-1, 2));
        assertThrows(TensorException.class, () -> Tensor.zeros(1L << 31, 1L << 31, 4));
        TensorException e = assertThrows(TensorException.class, () -> Tensor.zeros(1L << 62));
        assertTrue(e.getMessage().contains("4611686018427387904"), e.getMessage());
        assertEquals(0, allocated());
    }
}
