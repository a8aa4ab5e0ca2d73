package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceDriverContractTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real GPU keeps the simulated one's contract. */
@Tag("gpu")
class CudaDriverTest extends DeviceDriverContractTest {

    @Override
    protected DeviceDriver open() {
        DeviceDriver driver = new CudaDevices().devices("0").getFirst().get();
        driver.kernels();
        return driver;
    }

    @Test
    void almostTheWholeDeviceCanBeAllocatedInOnePiece() {
        long most = driver().freeBytes() / (64L << 20) * (64L << 20) - (64L << 20);

        long address = driver().allocate(most);

        assertNotEquals(0, address);
        assertEquals(0, driver().allocate(1L << 30));
        driver().free(address);
    }
}
