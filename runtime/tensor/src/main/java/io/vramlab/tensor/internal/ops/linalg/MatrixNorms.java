package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.MoreViews;
import io.vramlab.tensor.type.TensorException;

/** Norms of matrices: of their elements, of their rows or columns, and of their singular values. */
public final class MatrixNorms {

    private MatrixNorms() {
    }

    /** The square root of the sum of all squares, in two dimensions. */
    public static TensorImpl frobenius(TensorImpl a, int[] dims, boolean keep) {
        requireTwo(a, dims);
        return Norms.vector(a, 2, dims, keep);
    }

    private static void requireTwo(TensorImpl a, int... dims) {
        if (a.rank() < 2 || dims.length != 2 || Math.floorMod(dims[0], a.rank()) == Math.floorMod(dims[1], a.rank())) {
            throw new TensorException(
                    "linalg.matrix_norm: dim must be a 2-tuple of different dimensions of a tensor of 2 or more, but "
                            + dims.length + " were given of " + a.rank() + ". Give two, or none for the last two.");
        }
    }

    /** Of order 1 and -1 the largest and the smallest sum of a column's magnitudes, of infinity of a row's; 2 and -2: of singular values. */
    public static TensorImpl of(TensorImpl a, double order, int[] dims, boolean keep) {
        requireTwo(a, dims);
        double size = Math.abs(order);
        if (size != 1 && size != 2 && !Double.isInfinite(size)) {
            throw new TensorException("linalg.matrix_norm: Order " + order
                    + " not supported. Give 1, -1, 2, -2, or an infinity; or \"fro\" or \"nuc\".");
        }
        int summed = Math.floorMod(size == 1 ? dims[0] : dims[1], a.rank());
        int compared = Math.floorMod(size == 1 ? dims[1] : dims[0], a.rank());
        try (Temps t = new Temps()) {
            if (size == 2) {
                TensorImpl values = t.own(Svds.values(t.own(last(a, dims))));
                return kept(t.own(Extremes.extreme(values, order > 0, new int[]{-1}, false)), a, dims, keep);
            }
            TensorImpl sums = t.own(Norms.vector(a, 1, new int[]{summed}, keep));
            int at = !keep && compared > summed ? compared - 1 : compared;
            return Extremes.extreme(sums, order > 0, new int[]{at}, keep);
        }
    }

    /** The sum of the singular values. */
    public static TensorImpl nuclear(TensorImpl a, int[] dims, boolean keep) {
        requireTwo(a, dims);
        try (Temps t = new Temps()) {
            TensorImpl values = t.own(Svds.values(t.own(last(a, dims))));
            return kept(t.own(Sums.sum(values, new int[]{-1}, false)), a, dims, keep);
        }
    }

    private static TensorImpl last(TensorImpl a, int... dims) {
        return MoreViews.movedim(a, dims, new int[]{-2, -1});
    }

    private static TensorImpl kept(TensorImpl norm, TensorImpl a, int[] dims, boolean keep) {
        if (!keep) {
            return norm.retain();
        }
        long[] shape = a.shape().clone();
        for (int d : dims) {
            shape[Math.floorMod(d, a.rank())] = 1;
        }
        return io.vramlab.tensor.internal.ops.view.Views.view(norm, shape);
    }
}
