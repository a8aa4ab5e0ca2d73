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

/** Singular values and vectors. */
public final class Svds {

    private Svds() {
    }

    /** Left vectors as columns, values from the largest, right vectors as rows; square sides if full. */
    public static TensorImpl[] of(TensorImpl a, boolean full) {
        Matrices.requireMatrices("linalg.svd", a);
        long m = Matrices.rows(a);
        long n = Matrices.columns(a);
        long k = Math.min(m, n);
        long[] batch = Matrices.batch(a);
        try (Temps t = new Temps()) {
            TensorImpl u = t.own(Matrices.byColumns(a, batch, m, full ? m : k));
            TensorImpl vh = t.own(TensorImpl.empty(a.device(), a.dtype(), Matrices.shape(batch, full ? n : k, n)));
            TensorImpl s = t.own(Matrices.empty(a, a.dtype(), Matrices.shape(batch, k)));
            run(a, u, s, vh, full);
            if (Graph.wanted(a)) {
                TensorImpl[] all = {u, s, vh};
                Node node = Graph.recordSeveral("LinalgSvdBackward0", all, (node0, g) -> {
                    try (Temps own = new Temps()) {
                        TensorImpl left = full && m > n
                                ? own.own(Views.narrow(node0.saved(1), -1, 0, k))
                                : node0.saved(1);
                        TensorImpl right = full && m < n
                                ? own.own(Views.narrow(node0.saved(2), -2, 0, k))
                                : node0.saved(2);
                        TensorImpl gU = full && m > n && g[0] != null ? own.own(Views.narrow(g[0], -1, 0, k)) : g[0];
                        TensorImpl gV = full && m < n && g[2] != null ? own.own(Views.narrow(g[2], -2, 0, k)) : g[2];
                        return new TensorImpl[]{backward(gU, g[1], gV, left, node0.saved(0), right)};
                    }
                }, a);
                node.save(Graph.input(node, t.own(s.alias())), Graph.input(node, t.own(u.alias())),
                        Graph.input(node, t.own(vh.alias())));
            }
            return t.give(new TensorImpl[]{u, s, vh});
        }
    }

    /** Values alone; where a gradient is wanted the vectors are computed for it. */
    public static TensorImpl values(TensorImpl a) {
        try (Temps t = new Temps()) {
            if (Graph.wanted(a)) {
                TensorImpl[] all = of(a, false);
                t.own(all[0]);
                t.own(all[2]);
                return all[1];
            }
            Matrices.requireMatrices("linalg.svd", a);
            long k = Math.min(Matrices.rows(a), Matrices.columns(a));
            TensorImpl s = t.own(Matrices.empty(a, a.dtype(), Matrices.shape(Matrices.batch(a), k)));
            run(a, null, s, null, false);
            return t.give(s);
        }
    }

    private static void run(TensorImpl a, TensorImpl u, TensorImpl s, TensorImpl vh, boolean full) {
        long m = Matrices.rows(a);
        long n = Matrices.columns(a);
        long many = Matrices.many(a);
        try (Temps t = new Temps()) {
            TensorImpl info = t.own(Matrices.empty(a, DType.INT32, Matrices.batch(a)));
            Scratchpad.pass(a, SolverFootprints.singular(Scratchpad.element(a), many, m, n, u != null, full));
            if (!Matrices.isIdle(a)) {
                compute(a, u, s, vh, full);
                Matrices.put(info, new double[(int) many]);
            }
            Scratchpad.check(info, "linalg.svd", "The algorithm failed to converge (error code: %d).");
        }
    }

    private static void compute(TensorImpl a, TensorImpl u, TensorImpl s, TensorImpl vh, boolean full) {
        int m = (int) Matrices.rows(a);
        int n = (int) Matrices.columns(a);
        int k = Math.min(m, n);
        double[][] each = Matrices.fetch(a);
        double[][] left = new double[each.length][];
        double[][] values = new double[each.length][];
        double[][] right = new double[each.length][];
        for (int i = 0; i < each.length; i++) {
            HostFactors.Svd found = HostFactors.svd(each[i], m, n);
            values[i] = found.s();
            left[i] = full && m > k ? HostFactors.complete(found.u(), m, k, m) : found.u();
            right[i] = full && n > k
                    ? Matrices.transposed(
                            HostFactors.complete(Matrices.transposed(found.vh(), k, n), n, k, n), n, n)
                    : found.vh();
        }
        Matrices.put(s, values);
        if (u != null) {
            Matrices.put(u, left);
            Matrices.put(vh, right);
        }
    }

    private static TensorImpl skew(TensorImpl a) {
        try (Temps t = new Temps()) {
            t.own(a);
            return Elementwise.sub(a, t.own(Triangles.turned(a)), 1);
        }
    }

    private static TensorImpl backward(TensorImpl gU, TensorImpl gS, TensorImpl gVh, TensorImpl u, TensorImpl s,
            TensorImpl vh) {
        long m = Matrices.rows(u);
        long n = Matrices.columns(vh);
        try (Temps t = new Temps()) {
            if (gU == null && gVh == null) {
                if (m >= n) {
                    return MatrixOps.matmul(u, t.own(Elementwise.mul(t.own(Views.unsqueeze(gS, -1)), vh)));
                }
                return MatrixOps.matmul(t.own(Elementwise.mul(u, t.own(Views.unsqueeze(gS, -2)))), vh);
            }
            TensorImpl uh = t.own(Triangles.turned(u));
            TensorImpl v = t.own(Triangles.turned(vh));
            TensorImpl row = t.own(Views.unsqueeze(s, -2));
            TensorImpl column = t.own(Views.unsqueeze(s, -1));
            TensorImpl left = gU == null ? null : t.own(skew(MatrixOps.matmul(uh, gU)));
            TensorImpl right = gVh == null ? null : t.own(skew(MatrixOps.matmul(vh, t.own(Triangles.turned(gVh)))));
            TensorImpl gA = t.own(middle(left, right, s, row, column));
            if (gS != null) {
                TensorImpl more;
                try (Temps w = new Temps()) {
                    more = Elementwise.add(gA, w.own(Diagonals.embed(gS, 0, -2, -1)), 1);
                }
                t.free(gA);
                gA = t.own(more);
            }
            if (m > n && gU != null) {
                TensorImpl inner = t.own(MatrixOps.matmul(u, gA));
                t.free(gA);
                TensorImpl scaled = t.own(Elementwise.div(gU, row));
                // C++ computes what is subtracted first
                TensorImpl projected;
                try (Temps w = new Temps()) {
                    TensorImpl back = w.own(MatrixOps.matmul(u, w.own(MatrixOps.matmul(uh, scaled))));
                    projected = t.own(Elementwise.sub(w.own(Elementwise.add(inner, scaled, 1)), back, 1));
                }
                t.free(inner);
                return MatrixOps.matmul(projected, vh);
            }
            if (m < n && gVh != null) {
                TensorImpl inner = t.own(MatrixOps.matmul(gA, vh));
                t.free(gA);
                TensorImpl scaled = t.own(Elementwise.div(gVh, column));
                TensorImpl projected;
                try (Temps w = new Temps()) {
                    TensorImpl back = w.own(MatrixOps.matmul(w.own(MatrixOps.matmul(scaled, v)), vh));
                    projected = t.own(Elementwise.sub(w.own(Elementwise.add(inner, scaled, 1)), back, 1));
                }
                t.free(inner);
                return MatrixOps.matmul(u, projected);
            }
            return m >= n
                    ? MatrixOps.matmul(u, t.own(MatrixOps.matmul(gA, vh)))
                    : MatrixOps.matmul(t.own(MatrixOps.matmul(u, gA)), vh);
        }
    }

    private static TensorImpl middle(TensorImpl left, TensorImpl right, TensorImpl s, TensorImpl row,
            TensorImpl column) {
        try (Temps t = new Temps()) {
            TensorImpl gaps;
            try (Temps w = new Temps()) {
                TensorImpl squares = w.own(Elementwise.mul(s, s));
                gaps = t.own(
                        Elementwise.sub(w.own(Views.unsqueeze(squares, -2)), w.own(Views.unsqueeze(squares, -1)), 1));
                InPlace.fill(w.own(Diagonals.diagonal(gaps, 0, -2, -1)), 1);
            }
            if (right == null) {
                return Elementwise.mul(t.own(Elementwise.div(left, gaps)), row);
            }
            if (left == null) {
                return Elementwise.mul(column, t.own(Elementwise.div(right, gaps)));
            }
            TensorImpl first = t.own(Elementwise.mul(left, row));
            TensorImpl both = t.own(Elementwise.add(first, t.own(Elementwise.mul(column, right)), 1));
            return Elementwise.div(both, gaps);
        }
    }
}
