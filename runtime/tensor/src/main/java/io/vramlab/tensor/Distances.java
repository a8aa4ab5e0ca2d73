package io.vramlab.tensor;

/** Distances and angles between the rows of two tensors, composed as PyTorch composes them. */
final class Distances {

    private Distances() {
    }

    /** The p-norm of x1 - x2 + eps over the last dimension. */
    static TensorImpl pairwise(TensorImpl x1, TensorImpl x2, double p, double eps, boolean keep) {
        try (Temps t = new Temps()) {
            TensorImpl difference = t.own(Elementwise.sub(x1, x2, 1));
            TensorImpl moved = t.own(Elementwise.add(difference, eps, true));
            return Norms.vector(moved, p, new int[]{-1}, keep);
        }
    }
}
