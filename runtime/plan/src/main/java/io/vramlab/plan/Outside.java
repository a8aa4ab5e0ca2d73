package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;

/** What a PyTorch process holds of a device outside of its allocator. */
final class Outside {

    private static final long MIB = 1L << 20;
    /**
     * Of an H200 (driver 580.159, PyTorch 2.11 with CUDA 13.0), alone on it: 552,402,944 with the context, 718,077,952 after a
     * matrix product, 736,952,320 after a convolution, and this after attention, a recurrent layer, sorting and AdamW.
     */
    private static final long MEASURED = 804_061_184;
    private static final long GUESSED = 450 * MIB;
    private static final int HOPPER = 9;

    private Outside() {
    }

    /** CUDA's context, libraries and the kernels that are loaded; measured on one device, for older ones a guess. */
    static long context(DeviceProperties device) {
        return device.major() >= HOPPER ? MEASURED : GUESSED;
    }

    /** Where the figure is from. */
    static String source(DeviceProperties device) {
        return device.major() == HOPPER ? "measured on an H200" : "an estimate";
    }
}
