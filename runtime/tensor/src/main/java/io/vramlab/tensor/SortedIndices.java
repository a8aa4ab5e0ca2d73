package io.vramlab.tensor;

import io.vramlab.device.DType;

/**
 * The transient memory of adding rows at positions that may repeat, the gradient of {@code x[index]}: PyTorch brings the
 * indices into range, makes positions in memory of them, and sorts those together with their order
 * (index_put_with_sort_kernel of 2.11; docs/footprint.md, "Gradients of rows").
 */
final class SortedIndices {

    private SortedIndices() {
    }

    /**
     * Takes it and gives it back.
     *
     * @param into
     *            what rows are added to
     * @param count
     *            of indices
     */
    static void passing(TensorImpl into, long count) {
        if (!into.device().isCuda() || count == 0 || into.count() == 0) {
            return;
        }
        try (Temps t = new Temps()) {
            TensorImpl inRange = hold(t, into, Long.BYTES * count);
            hold(t, into, Long.BYTES * count);
            t.free(inRange);
            hold(t, into, Long.BYTES * count);
            hold(t, into, Long.BYTES * count);
            hold(t, into, Long.BYTES * count);
            long bits = Long.SIZE - Long.numberOfLeadingZeros(into.shape()[0] - 1);
            t.free(hold(t, into, CubScratch.sort(count, bits)));
        }
    }

    private static TensorImpl hold(Temps t, TensorImpl like, long bytes) {
        return t.own(TensorImpl.empty(like.device(), DType.UINT8, bytes));
    }
}
