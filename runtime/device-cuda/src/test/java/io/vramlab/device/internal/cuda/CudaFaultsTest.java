package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.Operand;
import io.vramlab.device.PendingWork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lost context. In a process of its own, because nothing brings a real GPU back within one. */
@Tag("gpu-fault")
class CudaFaultsTest {

    @Test
    void anIndexOutOfRangeIsToldOfLateAndThenByEveryCall() {
        DeviceDriver driver = new CudaDevices().devices("0").getFirst().get();
        long memory = driver.allocate(4096);
        driver.fill(memory, (byte) 0x7f, 4096, 0);
        Operand index = new Operand(memory, DType.INT64, new long[]{4}, new long[]{1});
        Operand rows = new Operand(memory + 1024, DType.FLOAT32, new long[]{4, 2}, new long[]{2, 1});

        driver.synchronize();
        PendingWork.lines(() -> "In [7]:3");
        assertDoesNotThrow(() -> driver.kernels().indexSelect(rows, rows, index, 0));
        PendingWork.lines(null);
        DeviceFaultException first = assertThrows(DeviceFaultException.class, driver::synchronize);

        assertEquals(DeviceFault.DEVICE_SIDE_ASSERT, first.fault());
        assertTrue(first.getMessage().startsWith("CUDA error: device-side assert triggered"), first.getMessage());
        assertTrue(first.getMessage().contains("Launched since the last good wait: In [7]:3 (indexSelect). "),
                first.getMessage());
        DeviceFaultException later = assertThrows(DeviceFaultException.class, () -> driver.allocate(512));
        assertTrue(later.getMessage().endsWith("is lost since then: every call fails. To go on, restart the kernel."),
                later.getMessage());
        assertThrows(DeviceFaultException.class, () -> driver.fill(memory, (byte) 0, 512, 0));
        assertDoesNotThrow(() -> driver.free(memory));
        assertDoesNotThrow(driver::close);
    }

    @Test
    void whereLaunchesWaitTheGuiltyOneIsNamedAndNoEarlierOne() {
        DeviceDriver driver = new CudaDevices().devices("0").getFirst().get();
        driver.setLaunchBlocking(true);
        long memory = driver.allocate(4096);
        driver.fill(memory, (byte) 0x7f, 4096, 0);
        Operand index = new Operand(memory, DType.INT64, new long[]{4}, new long[]{1});
        Operand rows = new Operand(memory + 1024, DType.FLOAT32, new long[]{4, 2}, new long[]{2, 1});
        DeviceFaultException first = assertThrows(DeviceFaultException.class,
                () -> driver.kernels().indexSelect(rows, rows, index, 0));

        assertEquals(DeviceFault.DEVICE_SIDE_ASSERT, first.fault());
        assertTrue(first.getMessage().contains(" indexSelect failed on "), first.getMessage());
        assertDoesNotThrow(driver::close);
    }
}
