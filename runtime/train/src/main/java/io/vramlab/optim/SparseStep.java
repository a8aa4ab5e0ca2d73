package io.vramlab.optim;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.TensorImpl;

/** What the steps on sparse gradients are made of: arithmetic on their rows, and sums of rows into whole tensors. */
final class SparseStep {

    private SparseStep() {
    }

    /** A new tensor of the first one's form; the caller holds it. */
    static TensorImpl fresh(ElementOp op, TensorImpl a, TensorImpl b, double... scalars) {
        return Launch.binary(op, a, b, a.dtype(), scalars);
    }

    /** A new tensor of the first one's form; the caller holds it. */
    static TensorImpl fresh(ElementOp op, TensorImpl a, double... scalars) {
        return Launch.unary(op, a, a.dtype(), scalars);
    }

    /** Changes a tensor in place. */
    static void change(ElementOp op, TensorImpl a, double... scalars) {
        Launch.into(op, scalars, a, a);
    }

    /** Changes a tensor in place, by another. */
    static void change(ElementOp op, TensorImpl a, TensorImpl b, double... scalars) {
        Launch.into(op, scalars, a, a, b);
    }

    /** {@code whole[rows of like] += alpha * values}; takes over the hold on the values. */
    static void add(TensorImpl whole, TensorImpl like, TensorImpl values, double alpha) {
        TensorImpl sparse = TensorImpl.sparse(like.shape(), like.indices().retain(), values, false);
        try {
            SparseSums.addInto(whole, sparse, alpha);
        } finally {
            sparse.release();
        }
    }
}
