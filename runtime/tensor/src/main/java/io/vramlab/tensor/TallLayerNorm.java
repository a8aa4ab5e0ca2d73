package io.vramlab.tensor;

import io.vramlab.device.DeviceProperties;

/**
 * How PyTorch sums the gradients of a layer norm's weight and bias when there are many rows and few columns: first per 32
 * rows into a matrix, which then is summed like any other (layer_norm_kernel.cu; docs/footprint.md, "Norms").
 */
final class TallLayerNorm {

    private static final long TALL = 64 * 1024;
    private static final long ROWS_PER_PART = 32;
    private static final long MAX_PARTS = 65_535;

    private TallLayerNorm() {
    }

    static boolean applies(TensorImpl x, long rows, long columns) {
        DeviceProperties device = x.driver().properties();
        return x.device().isCuda() && rows > TALL
                && columns / device.warpSize() < device.multiProcessorCount() / 2;
    }

    /** Takes the matrices and replaces the gradients, which may be null, by the sums of their rows. */
    static TensorImpl[] sum(Temps t, long rows, long columns, TensorImpl... gradients) {
        TensorImpl[] parts = new TensorImpl[gradients.length];
        TensorImpl[] sums = new TensorImpl[gradients.length];
        long[] shape = {Math.min((rows + ROWS_PER_PART - 1) / ROWS_PER_PART, MAX_PARTS), columns};
        for (int i = 0; i < parts.length; i++) {
            parts[i] = gradients[i] == null
                    ? null
                    : t.own(TensorImpl.empty(gradients[i].device(), gradients[i].dtype(), shape));
        }
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] != null) {
                sums[i] = t.own(TensorImpl.empty(gradients[i].device(), gradients[i].dtype(), gradients[i].shape()));
                int accumulator = Math.max(gradients[i].dtype().bytes(), Float.BYTES);
                Reductions.scratch(parts[i], new boolean[]{true, false}, accumulator).passing(gradients[i].device());
                t.free(gradients[i]);
            }
        }
        for (int i = parts.length - 1; i >= 0; i--) {
            if (parts[i] != null) {
                t.free(parts[i]);
            }
        }
        return sums;
    }
}
