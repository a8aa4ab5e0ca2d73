package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;

/** What a PyTorch process holds of a device outside of its allocator. */
final class Outside {

    private static final long MIB = 1L << 20;

    private Outside() {
    }

    /** CUDA's context and the kernels that are loaded; an estimate. */
    static long context(DeviceProperties device) {
        return device.major() >= 9 ? 600 * MIB : 450 * MIB;
    }
}
