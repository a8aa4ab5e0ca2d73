package io.vramlab.device.kernels;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.internal.sim.SimulatedDriver;

/** The simulated GPU's kernels. */
class SimulatedKernelsTest extends KernelsContractTest {

    @Override
    DeviceDriver open() {
        return new SimulatedDriver(DeviceProfile.of("4GiB"));
    }
}
