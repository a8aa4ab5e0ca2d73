package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.DeviceException;
import org.junit.jupiter.api.Test;

/** What a machine without a GPU says. */
class CudaDevicesTest {

    @Test
    void aMachineWithoutADriverSaysSoInOneLine() {
        assumeTrue(DriverCalls.find().isEmpty(), "this machine has an NVIDIA driver");

        String message = assertThrows(DeviceException.class, () -> new CudaDevices().devices("")).getMessage();

        assertEquals("A real GPU was asked for; no NVIDIA driver is installed here (no libcuda.so.1).", message);
        assertFalse(message.contains("\n"));
    }
}
