package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.vramlab.device.Device;
import io.vramlab.device.Stream;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.PlannedMemory;
import io.vramlab.memory.StreamEvents;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class PressureTest {

    @Test
    void anAllocatorThatIsGoneIsNotKept() throws InterruptedException {
        assertGone(watched());
    }

    private static WeakReference<Allocator> watched() {
        Allocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30), StreamEvents.IMMEDIATE);
        Pressure.watch(Device.cuda(0), allocator);
        return new WeakReference<>(allocator);
    }

    @Test
    void aClosedDeviceIsNotKeptAndNeitherIsItsAllocator() throws InterruptedException {
        Device device = Device.simulated("1GiB");
        WeakReference<Allocator> allocator = used(device);
        WeakReference<Device> gone = new WeakReference<>(device);
        device.close();
        device = null;

        assertGone(gone);
        assertGone(allocator);
    }

    private static WeakReference<Allocator> used(Device device) {
        Stream side = new Stream(device);
        try (Stream.Use use = side.use(); Scope scope = Scope.open()) {
            Tensor x = Tensor.ones(TensorOptions.on(device), 4).requiresGrad_(true);
            x.mul(x).sum().backward();
        }
        return new WeakReference<>(Allocators.of(device));
    }

    private static void assertGone(WeakReference<?> reference) throws InterruptedException {
        for (int round = 0; round < 50 && reference.get() != null; round++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(reference.get());
    }
}
