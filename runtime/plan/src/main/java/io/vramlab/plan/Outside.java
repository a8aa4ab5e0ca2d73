package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;

/**
 * What a PyTorch process holds of a device outside of its allocator. CUDA's context is mostly the local memory of all threads that the
 * device can run at once: 2 KiB for each. So it is within 5 % where somebody measured a bare context of PyTorch's: an H200's here, 426 MiB of an
 * RTX 6000 Ada, 256 of an RTX 3090, 555 of an RTX PRO 6000, 107 of an RTX 4060 Ti (docs/plan.md, "What is estimated, and what is left out").
 */
final class Outside {

    private static final long MIB = 1L << 20;
    private static final long OF_A_THREAD = 2 << 10;
    /**
     * Of an H200 (driver 580.159, PyTorch 2.11 with CUDA 13.0), alone on it: 552,402,944 with the context, 718,077,952 after a
     * matrix product, 736,952,320 after a convolution, and this after attention, a recurrent layer, sorting and AdamW.
     */
    private static final long MEASURED = 804_061_184;
    /**
     * Beside the context: what was loaded then, what training loads on an A100 (92 to 94 MiB, three models) and on an RTX 3060 and an
     * RTX 4060 (18 to 26), as NVML saw it.
     */
    private static final long LOADED_ON_HOPPER = 240 * MIB;
    private static final long LOADED_ON_A100 = 94 * MIB;
    private static final long LOADED = 24 * MIB;
    private static final int HOPPER = 9;
    private static final int AMPERE = 8;

    private Outside() {
    }

    /** CUDA's context, libraries and the kernels that are loaded; measured on one device, a rule for the others. */
    static long context(DeviceProperties device) {
        if (isMeasured(device)) {
            return MEASURED;
        }
        long threads = (long) device.multiProcessorCount() * device.maxThreadsPerMultiProcessor();
        return threads * OF_A_THREAD + loaded(device);
    }

    private static long loaded(DeviceProperties device) {
        if (device.major() >= HOPPER) {
            return LOADED_ON_HOPPER;
        }
        return device.major() == AMPERE && device.minor() == 0 ? LOADED_ON_A100 : LOADED;
    }

    /** Where the figure is from. */
    static String source(DeviceProperties device) {
        return isMeasured(device) ? "measured on an H200" : "an estimate by its multiprocessors";
    }

    /** An H100 of the same multiprocessors is taken for an H200. */
    private static boolean isMeasured(DeviceProperties device) {
        return device.major() == HOPPER && device.minor() == 0 && device.multiProcessorCount() == 132;
    }
}
