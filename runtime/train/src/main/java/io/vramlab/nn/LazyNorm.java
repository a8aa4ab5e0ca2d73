package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;

/** What the six lazy norms share: their counter of batches exists from the start, as in PyTorch. */
abstract class LazyNorm extends Lazy {

    private final Buffer numBatchesTracked;

    LazyNorm(boolean tracks) {
        numBatchesTracked = tracks ? new Buffer(Tensor.zeros(TensorOptions.of(DType.INT64))) : null;
    }

    /** int64 scalar, or null. */
    final Buffer tracked() {
        return numBatchesTracked;
    }

    /** Whether there will be weight and bias. */
    boolean isAffine() {
        return true;
    }

    @Override
    final String unknown() {
        return "0, eps=1e-05, momentum=0.1, affine=" + (isAffine() ? "True" : "False") + ", track_running_stats="
                + (numBatchesTracked == null ? "False" : "True");
    }
}
