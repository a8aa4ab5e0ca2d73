package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceProperties;

/**
 * A GPU, as cuDNN wants it described: JSON with the figures of CUDA's {@code cudaDeviceProp}. Limits are those of its compute
 * capability (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"), caches and clocks are {@link PublishedGpu}'s.
 */
final class CudnnDescription {

    private CudnnDescription() {
    }

    static String of(DeviceProperties d) {
        PublishedGpu published = PublishedGpu.of(d.name(), d.major());
        return """
                {"deviceName": "%s", "cudaDeviceId": 0, "deviceVer": %d, "driverVer": 13000, "isTccDriver": 0,
                "warpSize": %d, "l2CacheSize": %d, "maxCtasPerSM": %d, "maxRegistersPerSM": 65536,
                "maxSharedMemoryPerBlock": 49152, "maxSharedMemoryPerBlockOptin": %d, "maxThreadsPerBlock": 1024,
                "maxThreadsPerSM": %d, "memClockRateKHz": %d, "multiProcessorCount": %d, "pciDeviceId": 0,
                "regsPerBlock": 65536, "reservedSharedMemoryPerBlock": 1024, "smClockRateKHz": %d,
                "supportCoopLaunch": 1, "totalGlobalMem": %d, "maxBlockSize": [1024, 1024, 64],
                "maxGridSize": [2147483647, 65535, 65535]}""".formatted(d.name(), 100 * d.major() + 10 * d.minor(),
                d.warpSize(), published.cache(), blocks(d), sharedMemory(d), d.maxThreadsPerMultiProcessor(),
                published.memoryClock(), d.multiProcessorCount(), published.clock(), d.totalBytes());
    }

    /** The most blocks of a multiprocessor. */
    private static int blocks(DeviceProperties d) {
        return switch (10 * d.major() + d.minor()) {
            case 86, 87 -> 16;
            case 89, 120 -> 24;
            default -> 32;
        };
    }

    /** The most bytes of shared memory that a block may ask for. */
    private static int sharedMemory(DeviceProperties d) {
        return switch (10 * d.major() + d.minor()) {
            case 80, 87 -> 166912;
            case 86, 89, 120 -> 101376;
            default -> 232448;
        };
    }
}
