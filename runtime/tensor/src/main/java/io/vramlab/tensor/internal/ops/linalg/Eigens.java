package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.footprint.SolverFootprints;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;

/** Eigenvalues and eigenvectors of symmetric matrices. */
public final class Eigens {

    private Eigens() {
    }

    /** Values from the least, and vectors as columns. */
    public static TensorImpl[] symmetric(TensorImpl a, boolean upper) {
        Matrices.requireSquare("linalg.eigh", a);
        long n = Matrices.rows(a);
        try (Temps t = new Temps()) {
            TensorImpl vectors = t.own(Matrices.byColumns(a, Matrices.batch(a), n, n));
            TensorImpl values = t.own(Matrices.empty(a, a.dtype(), Matrices.shape(Matrices.batch(a), n)));
            run(a, values, vectors, upper);
            if (Graph.wanted(a)) {
                TensorImpl[] both = {values, vectors};
                Node node = Graph.recordSeveral("LinalgEighBackward0", both,
                        (k, g) -> new TensorImpl[]{backward(g[0], g[1], k.saved(0), k.saved(1))}, a);
                node.save(Graph.input(node, t.own(values.alias())), Graph.input(node, t.own(vectors.alias())));
            }
            return t.give(new TensorImpl[]{values, vectors});
        }
    }

    /** Values alone; where a gradient is wanted the vectors are computed for it. */
    public static TensorImpl values(TensorImpl a, boolean upper) {
        try (Temps t = new Temps()) {
            if (Graph.wanted(a)) {
                TensorImpl[] both = symmetric(a, upper);
                t.own(both[1]);
                return both[0];
            }
            Matrices.requireSquare("linalg.eigh", a);
            long n = Matrices.rows(a);
            TensorImpl values = t.own(Matrices.empty(a, a.dtype(), Matrices.shape(Matrices.batch(a), n)));
            TensorImpl copy = t.own(Matrices.byColumns(a, Matrices.batch(a), n, n));
            run(a, values, copy, upper);
            return t.give(values);
        }
    }

    private static void run(TensorImpl a, TensorImpl values, TensorImpl vectors, boolean upper) {
        long n = Matrices.rows(a);
        long many = Matrices.many(a);
        try (Temps t = new Temps()) {
            TensorImpl info = t.own(Matrices.empty(a, DType.INT32, Matrices.batch(a)));
            Scratchpad.pass(a, SolverFootprints.eigen(Scratchpad.element(a), many, n));
            if (!Matrices.isIdle(a)) {
                double[][] each = Matrices.fetch(a);
                double[][] found = new double[each.length][];
                for (int i = 0; i < each.length; i++) {
                    HostFactors.Eigen e = HostFactors.eigen(each[i], (int) n, upper);
                    found[i] = e.values();
                    each[i] = e.vectors();
                }
                Matrices.put(values, found);
                Matrices.put(vectors, each);
                Matrices.put(info, new double[each.length]);
            }
            Scratchpad.check(info, "linalg.eigh", "The algorithm failed to converge (error code: %d).");
        }
    }

    private static TensorImpl backward(TensorImpl gL, TensorImpl gV, TensorImpl l, TensorImpl v) {
        try (Temps t = new Temps()) {
            TensorImpl vh = t.own(Triangles.turned(v));
            if (gV == null) {
                TensorImpl scaled = t.own(Elementwise.mul(v, t.own(Views.unsqueeze(gL, -2))));
                return MatrixOps.matmul(scaled, vh);
            }
            TensorImpl product = t.own(MatrixOps.matmul(vh, gV));
            TensorImpl skew;
            try (Temps u = new Temps()) {
                TensorImpl apart = u.own(Elementwise.sub(product, u.own(Triangles.turned(product)), 1));
                skew = t.own(Elementwise.mul(apart, .5, false));
            }
            try (Temps u = new Temps()) {
                TensorImpl gaps = u
                        .own(Elementwise.sub(u.own(Views.unsqueeze(l, -2)), u.own(Views.unsqueeze(l, -1)), 1));
                InPlace.fill(u.own(Diagonals.diagonal(gaps, 0, -2, -1)), 1);
                InPlace.div(skew, gaps);
            }
            if (gL != null) {
                InPlace.copy(t.own(Diagonals.diagonal(skew, 0, -2, -1)), gL, false);
            }
            return MatrixOps.matmul(v, t.own(MatrixOps.matmul(skew, vh)));
        }
    }
}
