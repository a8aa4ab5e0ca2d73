package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;

/**
 * How PyTorch sums the gradients of a layer norm's weight and bias when there are many rows and few columns: first per 32
 * rows into a matrix, which then is summed like any other (layer_norm_kernel.cu; docs/footprint.md, "Norms").
 */
public final class LayerNormParts {

    private static final long TALL = 64 * 1024;
    private static final long ROWS_PER_PART = 32;
    private static final long MAX_PARTS = 65_535;

    private LayerNormParts() {
    }

    /** Whether there are such matrices. */
    public static boolean apply(DeviceProperties device, long rows, long columns) {
        return rows > TALL && columns / device.warpSize() < device.multiProcessorCount() / 2;
    }

    /** Rows of such a matrix; it has as many columns as the layer norm. */
    public static long parts(long rows) {
        return Math.min((rows + ROWS_PER_PART - 1) / ROWS_PER_PART, MAX_PARTS);
    }
}
