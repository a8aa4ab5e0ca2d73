package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceProperties;

/**
 * A GPU, as cuDNN wants it described: JSON with the figures of CUDA's {@code cudaDeviceProp}. What {@link DeviceProperties} do
 * not tell is that of an H200, or of an A100 before compute capability 9.0.
 */
final class CudnnDescription {

    private static final int HOPPER = 9;

    private CudnnDescription() {
    }

    static String of(DeviceProperties d) {
        boolean hopper = d.major() >= HOPPER;
        boolean h100 = d.name().contains("H100");
        boolean large = d.minor() == 0 && d.major() <= HOPPER;
        return """
                {"deviceName": "%s", "cudaDeviceId": 0, "deviceVer": %d, "driverVer": 13000, "isTccDriver": 0,
                "warpSize": %d, "l2CacheSize": %d, "maxCtasPerSM": %d, "maxRegistersPerSM": 65536,
                "maxSharedMemoryPerBlock": 49152, "maxSharedMemoryPerBlockOptin": %d, "maxThreadsPerBlock": 1024,
                "maxThreadsPerSM": %d, "memClockRateKHz": %d, "multiProcessorCount": %d, "pciDeviceId": 0,
                "regsPerBlock": 65536, "reservedSharedMemoryPerBlock": 1024, "smClockRateKHz": 1980000,
                "supportCoopLaunch": 1, "totalGlobalMem": %d, "maxBlockSize": [1024, 1024, 64],
                "maxGridSize": [2147483647, 65535, 65535]}""".formatted(d.name(), 100 * d.major() + 10 * d.minor(),
                d.warpSize(), h100 ? 52428800 : hopper ? 62914560 : 41943040, large ? 32 : 24, hopper ? 232448 : 166912,
                large ? 2048 : 1536, h100 ? 2619000 : 3201000, d.multiProcessorCount(), d.totalBytes());
    }
}
