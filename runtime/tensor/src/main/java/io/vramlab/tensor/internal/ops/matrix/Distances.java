package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Norms;

/** Distances and angles between the rows of two tensors, composed as PyTorch composes them. */
public final class Distances {

    private Distances() {
    }

    /** The p-norm of x1 - x2 + eps over the last dimension. */
    public static TensorImpl pairwise(TensorImpl x1, TensorImpl x2, double p, double eps, boolean keep) {
        try (Temps t = new Temps()) {
            TensorImpl difference = t.own(Elementwise.sub(x1, x2, 1));
            TensorImpl moved = t.own(Elementwise.add(difference, eps, true));
            return Norms.vector(moved, p, new int[]{-1}, keep);
        }
    }
}
