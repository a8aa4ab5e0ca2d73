package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Diagonals as views and as matrices. */
public final class Diagonals {

    private Diagonals() {
    }

    /** The diagonal of two dimensions, as the last dimension of a view. */
    public static TensorImpl diagonal(TensorImpl a, long offset, int dim1, int dim2) {
        int x = Shape.dim(dim1, a.rank());
        int y = Shape.dim(dim2, a.rank());
        if (x == y || a.rank() < 2) {
            throw new TensorException(
                    "diagonal of dimensions " + dim1 + " and " + dim2 + " was asked of a tensor of shape "
                            + Shape.text(a.shape()) + ": diagonal dimensions cannot be identical.");
        }
        long length = Math.max(0, offset >= 0
                ? Math.min(a.shape()[x], a.shape()[y] - offset)
                : Math.min(a.shape()[x] + offset, a.shape()[y]));
        long start = length == 0 ? 0 : offset >= 0 ? offset * a.strides()[y] : -offset * a.strides()[x];
        long[] shape = new long[a.rank() - 1];
        long[] strides = new long[a.rank() - 1];
        int to = 0;
        for (int d = 0; d < a.rank(); d++) {
            if (d != x && d != y) {
                shape[to] = a.shape()[d];
                strides[to++] = a.strides()[d];
            }
        }
        shape[to] = length;
        strides[to] = a.strides()[x] + a.strides()[y];
        long[] was = a.shape();
        return Views.tie("DiagonalBackward0", a, a.alias(shape, strides, a.offset() + start),
                (n, g) -> Views.scatterBack(n.name(), g, was, whole -> diagonal(whole, offset, x, y)));
    }

    /** A matrix with the vector as its diagonal, or a matrix's diagonal. */
    public static TensorImpl diag(TensorImpl a, long offset) {
        if (a.rank() == 1) {
            return embed(a, offset, -2, -1);
        }
        MatrixOps.requireRank(a, 2, "diag");
        try (Temps t = new Temps()) {
            return Copies.clone(t.own(diagonal(a, offset, 0, 1)));
        }
    }

    /** A matrix with all elements as its diagonal. */
    public static TensorImpl flat(TensorImpl a) {
        try (Temps t = new Temps()) {
            return embed(t.own(Views.flatten(a, 0, -1)), 0, -2, -1);
        }
    }

    /** Zeros with the last dimension as the diagonal of two new ones. */
    public static TensorImpl embed(TensorImpl a, long offset, int dim1, int dim2) {
        int rank = a.rank() + 1;
        int x = Shape.dim(dim1, rank);
        int y = Shape.dim(dim2, rank);
        long size = a.size(-1) + Math.abs(offset);
        long[] shape = new long[rank];
        int from = 0;
        for (int d = 0; d < rank; d++) {
            shape[d] = d == x || d == y ? size : a.shape()[from++];
        }
        TensorImpl out = Factories.full(a.device(), a.dtype(), 0, shape);
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            t.own(out);
            Launch.into(ElementOp.COPY, Launch.NONE, t.own(diagonal(out, offset, x, y)), a);
            t.give(out);
        }
        if (Graph.wanted(a)) {
            Graph.recordUnary("DiagEmbedBackward0", out, a, (n, g) -> diagonal(g, offset, x, y));
        }
        return out;
    }

    /** Matrices along the diagonal of one. */
    public static TensorImpl blocks(TensorImpl... parts) {
        long rows = 0;
        long columns = 0;
        for (TensorImpl p : parts) {
            if (p.rank() > 2) {
                throw new TensorException("Input tensors must have 2 or fewer dimensions, but one has shape "
                        + Shape.text(p.shape()) + ".");
            }
            rows += p.rank() == 2 ? p.shape()[0] : 1;
            columns += p.rank() == 0 ? 1 : p.size(-1);
        }
        TensorImpl out = Factories.full(parts[0].device(), parts[0].dtype(), 0, rows, columns);
        long[][] at = new long[parts.length][];
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            t.own(out);
            long down = 0;
            long across = 0;
            for (int i = 0; i < parts.length; i++) {
                long h = parts[i].rank() == 2 ? parts[i].shape()[0] : 1;
                long w = parts[i].rank() == 0 ? 1 : parts[i].size(-1);
                at[i] = new long[]{down, h, across, w};
                Launch.into(ElementOp.COPY, Launch.NONE, t.own(part(out, at[i])), parts[i]);
                down += h;
                across += w;
            }
            t.give(out);
        }
        if (Graph.wanted(parts)) {
            long[][] shapes = Arrays.stream(parts).map(TensorImpl::shape).toArray(long[][]::new);
            Graph.record("BlockDiagBackward0", out, (n, g) -> {
                TensorImpl[] grads = new TensorImpl[at.length];
                for (int i = 0; i < grads.length; i++) {
                    if (n.wants(i)) {
                        TensorImpl seen = part(g, at[i]);
                        grads[i] = seen.alias(shapes[i], Strides.view(seen.shape(), seen.strides(), shapes[i]) == null
                                ? seen.strides()
                                : Strides.view(seen.shape(), seen.strides(), shapes[i]), seen.offset()).markView(g);
                        seen.release();
                    }
                }
                return grads;
            }, parts);
        }
        return out;
    }

    private static TensorImpl part(TensorImpl a, long... at) {
        return a.alias(new long[]{at[1], at[3]}, a.strides(),
                a.offset() + at[0] * a.strides()[0] + at[2] * a.strides()[1]);
    }
}
