package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.footprint.SolverFootprints;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/** Orthonormal columns and a triangle: {@code torch.linalg.qr}. */
public final class Qrs {

    private Qrs() {
    }

    /** Q and R; in mode r an empty Q. */
    public static TensorImpl[] of(TensorImpl a, String mode) {
        Matrices.requireMatrices("linalg.qr", a);
        boolean both = !mode.equals("r");
        boolean complete = mode.equals("complete");
        if (both && !complete && !mode.equals("reduced")) {
            throw new TensorException("qr received unrecognized mode '" + mode
                    + "' but expected one of 'reduced' (default), 'r', or 'complete'. Give one of these.");
        }
        long m = Matrices.rows(a);
        long n = Matrices.columns(a);
        long least = Math.min(m, n);
        long width = complete ? m : least;
        long[] batch = Matrices.batch(a);
        if (Graph.wanted(a) && !both) {
            throw new TensorException("The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
                    + "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.");
        }
        try (Temps t = new Temps()) {
            TensorImpl q = both
                    ? t.own(Matrices.byColumns(a, batch, m, width))
                    : t.own(TensorImpl.empty(a.device(), a.dtype(), 0));
            TensorImpl r = t.own(Matrices.byColumns(a, batch, width, n));
            Scratchpad.pass(a, SolverFootprints.reflections(Scratchpad.element(a), Matrices.many(a), m, n,
                    both ? width : 0));
            if (!Matrices.isIdle(a)) {
                compute(a, q, r, both, width);
            }
            if (Graph.wanted(a)) {
                boolean refused = complete && m > n;
                TensorImpl[] made = {q, r};
                Node node = Graph.recordSeveral("LinalgQrBackward0", made, (k, g) -> {
                    if (refused) {
                        throw new TensorException("The QR decomposition is not differentiable when mode='complete' and "
                                + "nrows > ncols. Take mode 'reduced'.");
                    }
                    return new TensorImpl[]{backward(g[0], g[1], k.saved(0), k.saved(1))};
                }, a);
                node.save(Graph.input(node, t.own(q.alias())), Graph.input(node, t.own(r.alias())));
            }
            return t.give(new TensorImpl[]{q, r});
        }
    }

    private static void compute(TensorImpl a, TensorImpl q, TensorImpl r, boolean both, long width) {
        int m = (int) Matrices.rows(a);
        int n = (int) Matrices.columns(a);
        double[][] each = Matrices.fetch(a);
        double[][] triangles = new double[each.length][];
        for (int i = 0; i < each.length; i++) {
            HostFactors.Reflections found = HostFactors.reflections(each[i], m, n);
            triangles[i] = new double[(int) width * n];
            for (int row = 0; row < Math.min(width, m); row++) {
                for (int column = row; column < n; column++) {
                    triangles[i][row * n + column] = found.a()[row * n + column];
                }
            }
            each[i] = both ? HostFactors.product(found, (int) width) : null;
        }
        Matrices.put(r, triangles);
        if (both) {
            Matrices.put(q, each);
        }
    }

    private static TensorImpl backward(TensorImpl gQ, TensorImpl gR, TensorImpl q, TensorImpl r) {
        try (Temps t = new Temps()) {
            long m = Matrices.rows(q);
            long n = Matrices.columns(r);
            TensorImpl qh = t.own(Triangles.turned(q));
            TensorImpl rh = t.own(Triangles.turned(r));
            TensorImpl gA;
            try (Temps u = new Temps()) {
                if (gQ == null) {
                    gA = t.own(MatrixOps.matmul(gR, rh));
                } else if (gR == null) {
                    gA = t.own(Pointwise.neg(u.own(MatrixOps.matmul(qh, gQ))));
                } else {
                    TensorImpl first = u.own(MatrixOps.matmul(gR, rh));
                    gA = t.own(Elementwise.sub(first, u.own(MatrixOps.matmul(qh, gQ)), 1));
                }
            }
            if (m < n) {
                return wide(t, gA, gR, q, r);
            }
            TensorImpl inner;
            try (Temps u = new Temps()) {
                TensorImpl upper = u.own(Selection.triangle(gA, true, 0));
                TensorImpl sum = u.own(Elementwise.add(upper, u.own(Triangles.turned(upper)), 1));
                InPlace.mul(u.own(Diagonals.diagonal(sum, 0, -2, -1)), .5);
                inner = t.own(MatrixOps.matmul(q, sum));
            }
            t.free(gA);
            if (gQ != null) {
                TensorImpl more = t.own(Elementwise.add(inner, gQ, 1));
                t.free(inner);
                inner = more;
            }
            return Triangles.solve(rh, inner, false, false, false);
        }
    }

    private static TensorImpl wide(Temps t, TensorImpl gA, TensorImpl gR, TensorImpl q, TensorImpl r) {
        long m = Matrices.rows(q);
        long n = Matrices.columns(r);
        TensorImpl inner;
        try (Temps u = new Temps()) {
            TensorImpl minus = u.own(Pointwise.neg(gA));
            TensorImpl skew = u.own(Elementwise.sub(minus, u.own(Triangles.turned(minus)), 1));
            TensorImpl lower = u.own(Selection.triangle(skew, false, 0));
            u.free(skew);
            inner = t.own(MatrixOps.matmul(q, lower));
        }
        t.free(gA);
        TensorImpl first = t.own(Triangles.turned(t.own(Views.narrow(r, -1, 0, m))));
        TensorImpl solved = t.own(Triangles.solve(first, inner, false, false, false));
        t.free(inner);
        TensorImpl joined;
        try (Temps u = new Temps()) {
            long[] rest = r.shape().clone();
            rest[rest.length - 1] = n - m;
            TensorImpl zeros = u.own(io.vramlab.tensor.internal.core.Factories.full(r.device(), r.dtype(), 0, rest));
            joined = t.own(io.vramlab.tensor.internal.ops.view.Joins.cat(-1, solved, zeros));
        }
        t.free(solved);
        if (gR == null) {
            return t.give(joined);
        }
        return Elementwise.add(joined, t.own(MatrixOps.matmul(q, gR)), 1);
    }
}
