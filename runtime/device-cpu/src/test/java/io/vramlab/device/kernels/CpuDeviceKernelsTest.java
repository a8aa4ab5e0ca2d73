package io.vramlab.device.kernels;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.internal.cpu.CpuDriver;

/** The CPU device's kernels. */
class CpuDeviceKernelsTest extends KernelsContractTest {

    @Override
    DeviceDriver open() {
        return new CpuDriver(4L << 30);
    }
}
