package io.vramlab.device.internal.dry;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceDriverContractTest;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.internal.sim.SimulatedDriver;
import org.junit.jupiter.api.Test;

/** A shapes-only device keeps the contract without values, and hands out the simulated device's addresses. */
class DryDriverTest extends DeviceDriverContractTest {

    @Override
    protected DeviceDriver open() {
        return new DryDriver(DeviceProfile.of("1GiB"));
    }

    @Override
    protected boolean hasValues() {
        return false;
    }

    @Test
    void itsAddressesAreTheSimulatedDevices() {
        try (SimulatedDriver simulated = new SimulatedDriver(DeviceProfile.of("1GiB"))) {
            for (long mib : new long[]{2, 20, 20, 2, 64, 2}) {
                assertEquals(simulated.allocate(mib << 20), driver().allocate(mib << 20));
            }
        }
    }

    @Test
    void aKernelComputesNothing() {
        assertDoesNotThrow(() -> driver().kernels().arange(null, 0, 1, 0));
    }
}
