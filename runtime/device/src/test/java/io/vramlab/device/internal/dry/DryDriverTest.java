package io.vramlab.device.internal.dry;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceDriverContractTest;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DriverStep;
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

    /** The context's last region has 414 MiB and room for 2 more, which the first segment takes. The 414 are given back, and 506 taken elsewhere. */
    @Test
    void theFirstKernelThatWantsStackMakesRoomBelow() {
        long first = driver().allocate(2L << 20);
        driver().step(DriverStep.STACK);
        long second = driver().allocate(30L << 20);
        assertEquals(first - (414L << 20), second);
        driver().step(DriverStep.STACK);
        assertEquals(second + (30L << 20), driver().allocate(20L << 20), "once");
    }

    @Test
    void aKernelComputesNothing() {
        assertDoesNotThrow(() -> driver().kernels().arange(null, 0, 1, 0));
    }
}
