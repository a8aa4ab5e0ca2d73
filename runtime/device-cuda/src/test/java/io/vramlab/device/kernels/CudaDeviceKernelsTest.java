package io.vramlab.device.kernels;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.internal.cuda.CudaDevices;
import org.junit.jupiter.api.Tag;

/** A real GPU's kernels. */
@Tag("gpu")
class CudaDeviceKernelsTest extends KernelsContractTest {

    @Override
    DeviceDriver open() {
        return new CudaDevices().devices("0").getFirst().get();
    }

    /** A lost GPU stays lost for its process. */
    @Override
    public long[] indicesOutsideFive() {
        return new long[]{5};
    }
}
