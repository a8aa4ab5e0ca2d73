package io.vramlab.device.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceDriverContractTest;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import org.junit.jupiter.api.Test;

/** Host memory keeps the contract, except that it maps no ranges, and tells of errors at once. */
class CpuDriverTest extends DeviceDriverContractTest {

    @Override
    protected DeviceDriver open() {
        return new CpuDriver(1L << 30);
    }

    @Override
    protected boolean mapsRanges() {
        return false;
    }

    @Test
    void anErrorComesAtOnce() {
        DeviceFaultException e = assertThrows(DeviceFaultException.class,
                () -> ((CpuDriver) driver()).fault(DeviceFault.DEVICE_SIDE_ASSERT, "index 10 is out of bounds"));
        assertTrue(e.getMessage().contains("index 10"));
    }

    @Test
    void memoryThatWasFreedCannotBeReached() {
        long a = driver().allocate(4096);
        driver().free(a);

        assertThrows(DeviceFaultException.class, () -> driver().fill(a, (byte) 1, 1, 0));
    }

    @Test
    void theCpuCanBeTheCurrentDevice() {
        try {
            Device d = Device.select("cpu");

            assertSame(Device.cpu(), d);
            assertEquals("cpu", d.name());
            assertFalse(d.isCuda());
            assertTrue(d.simulation().isEmpty());
        } finally {
            Device.select("sim");
        }
    }
}
