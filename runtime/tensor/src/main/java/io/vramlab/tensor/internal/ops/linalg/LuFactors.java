package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Triangles with the rows' order, packed in one matrix or apart, and solving with them. */
public final class LuFactors {

    private static final String ZERO = "U[%d,%<d] is zero and using it on lu_solve would result in a division by zero. "
            + "Add to the diagonal, or take luFactorEx, which does not look.";

    private LuFactors() {
    }

    /** L below the diagonal and U in one matrix, pivots counted from 1, and if wanted the pivot that was zero, which nobody checks then. */
    public static TensorImpl[] packed(TensorImpl a, boolean withInfo) {
        Matrices.requireMatrices("linalg.lu_factor", a);
        try (Temps t = new Temps()) {
            Lus.Factors f = Lus.factors(t, a, false);
            if (Graph.wanted(a)) {
                long k = Math.min(Matrices.rows(a), Matrices.columns(a));
                Node node = Graph.record("LinalgLuFactorExBackward0", f.lu(), (saved, g) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl[] plu = unpacked(u, saved.saved(0), saved.saved(1));
                        return new TensorImpl[]{backward(u.own(Views.narrow(g, -1, 0, k)),
                                u.own(Views.narrow(g, -2, 0, k)), plu[0], plu[1], plu[2])};
                    }
                }, a);
                node.save(Graph.result(node, f.lu()), Graph.input(node, f.pivots()));
            }
            if (withInfo) {
                return t.give(new TensorImpl[]{f.lu(), f.pivots(), f.info()});
            }
            Scratchpad.check(f.info(), "linalg.lu_factor", ZERO);
            return t.give(new TensorImpl[]{f.lu(), f.pivots()});
        }
    }

    /** P, L and U with A = P L U. */
    public static TensorImpl[] apart(TensorImpl a) {
        Matrices.requireMatrices("linalg.lu", a);
        try (Temps t = new Temps()) {
            TensorImpl[] plu = empty(t, a);
            try (Temps u = new Temps()) {
                Lus.Factors f = Lus.factors(u, a, false);
                u.free(f.lu());
                ordering(a);
                if (!Matrices.isIdle(a)) {
                    double[][] each = Matrices.fetch(a);
                    int m = (int) Matrices.rows(a);
                    int n = (int) Matrices.columns(a);
                    double[][] orders = new double[each.length][];
                    for (int i = 0; i < each.length; i++) {
                        HostLu host = new HostLu(each[i], m, n);
                        each[i] = host.lu;
                        orders[i] = host.pivots;
                    }
                    fill(plu, each, orders, m, n);
                }
                u.free(f.info());
            }
            if (Graph.wanted(a)) {
                TensorImpl[] triangles = {plu[1], plu[2]};
                Node node = Graph.recordSeveral("LinalgLuBackward0", triangles,
                        (k, g) -> new TensorImpl[]{backward(g[0], g[1], k.saved(0), k.saved(1), k.saved(2))}, a);
                node.save(Graph.input(node, plu[0]), Graph.input(node, t.own(plu[1].alias())),
                        Graph.input(node, t.own(plu[2].alias())));
            }
            return t.give(plu);
        }
    }

    private static TensorImpl[] empty(Temps t, TensorImpl a) {
        long[] batch = Matrices.batch(a);
        long m = Matrices.rows(a);
        long n = Matrices.columns(a);
        long k = Math.min(m, n);
        return new TensorImpl[]{t.own(Matrices.empty(a, a.dtype(), Matrices.shape(batch, m, m))),
                t.own(Matrices.empty(a, a.dtype(), Matrices.shape(batch, m, k))),
                t.own(Matrices.empty(a, a.dtype(), Matrices.shape(batch, k, n)))};
    }

    /** The rows' numbers for each matrix, which the exchanges put in order. */
    private static void ordering(TensorImpl a) {
        long numbers = Long.BYTES * Matrices.rows(a);
        try (Temps t = new Temps()) {
            TensorImpl one = Scratchpad.block(t, a, numbers);
            if (Matrices.many(a) > 1) {
                Scratchpad.block(t, a, numbers * Matrices.many(a));
                t.free(one);
            }
        }
    }

    private static TensorImpl[] unpacked(Temps t, TensorImpl lu, TensorImpl pivots) {
        TensorImpl[] plu = empty(t, lu);
        ordering(lu);
        if (!Matrices.isIdle(lu)) {
            double[][] each = Matrices.fetch(lu);
            fill(plu, each, Matrices.split(HostValues.doubles(pivots), each.length), (int) Matrices.rows(lu),
                    (int) Matrices.columns(lu));
        }
        return plu;
    }

    private static void fill(TensorImpl[] plu, double[][] each, double[][] pivots, int m, int n) {
        int k = Math.min(m, n);
        double[][] p = new double[each.length][m * m];
        double[][] l = new double[each.length][m * k];
        double[][] u = new double[each.length][k * n];
        for (int i = 0; i < each.length; i++) {
            int[] order = HostLu.order(pivots[i], m);
            for (int row = 0; row < m; row++) {
                p[i][order[row] * m + row] = 1;
                for (int column = 0; column < k; column++) {
                    l[i][row * k + column] = row == column ? 1 : row > column ? each[i][row * n + column] : 0;
                }
            }
            for (int row = 0; row < k; row++) {
                System.arraycopy(each[i], row * n + row, u[i], row * n + row, n - row);
            }
        }
        if (plu[0] != null) {
            Matrices.put(plu[0], p);
        }
        Matrices.put(plu[1], l);
        Matrices.put(plu[2], u);
    }

    private static TensorImpl backward(TensorImpl gL, TensorImpl gU, TensorImpl p, TensorImpl l, TensorImpl u) {
        long m = Matrices.rows(l);
        long n = Matrices.columns(u);
        try (Temps t = new Temps()) {
            TensorImpl inner = m == n ? square(t, gL, gU, l, u) : m < n ? wide(t, gL, gU, l, u) : tall(t, gL, gU, l, u);
            return MatrixOps.matmul(p, inner);
        }
    }

    private static TensorImpl square(Temps t, TensorImpl gL, TensorImpl gU, TensorImpl l, TensorImpl u) {
        TensorImpl lh = t.own(Triangles.turned(l));
        TensorImpl uh = t.own(Triangles.turned(u));
        TensorImpl first = gL == null ? null : masked(t, MatrixOps.matmul(lh, gL), false, -1);
        TensorImpl inner = first;
        if (gU != null) {
            try (Temps w = new Temps()) {
                TensorImpl product = w.own(MatrixOps.matmul(gU, uh));
                TensorImpl second = w.own(Selection.triangle(product, true, 0));
                inner = t.own(first == null ? w.give(second) : Elementwise.add(first, second, 1));
            }
            if (first != null) {
                t.free(first);
            }
        }
        TensorImpl right = t.own(Triangles.solve(uh, inner, false, false, false));
        t.free(inner);
        TensorImpl left = t.own(Triangles.solve(lh, right, true, true, true));
        t.free(right);
        return left;
    }

    private static TensorImpl wide(Temps t, TensorImpl gL, TensorImpl gU, TensorImpl l, TensorImpl u) {
        long k = Matrices.rows(u);
        long n = Matrices.columns(u);
        TensorImpl lh = t.own(Triangles.turned(l));
        TensorImpl inner = gL == null ? null : t.own(MatrixOps.matmul(lh, gL));
        if (gU != null) {
            TensorImpl above = t.own(Selection.triangle(gU, true, 0));
            inner = less(t, inner, above, t.own(Triangles.turned(u)));
            t.free(above);
        }
        TensorImpl u1 = t.own(Views.narrow(u, -1, 0, k));
        TensorImpl lower = masked(t, inner.retain(), false, -1);
        TensorImpl right = t.own(Triangles.solve(t.own(Triangles.turned(u1)), lower, false, false, false));
        t.free(lower);
        t.free(inner);
        if (gU != null) {
            TensorImpl upper = t.own(Selection.triangle(t.own(Views.narrow(gU, -1, 0, k)), true, 0));
            TensorImpl sum = t.own(Elementwise.add(right, upper, 1));
            t.free(upper);
            t.free(right);
            right = sum;
        }
        TensorImpl left = t.own(Triangles.solve(lh, right, true, true, true));
        t.free(right);
        long[] shape = Matrices.shape(Matrices.batch(u), k, n - k);
        TensorImpl rest = t.own(gU == null
                ? Factories.full(u.device(), u.dtype(), 0, shape)
                : Triangles.solve(lh, t.own(Views.narrow(gU, -1, k, n - k)), true, true, true));
        TensorImpl joined = t.own(Joins.cat(-1, left, rest));
        t.free(rest);
        t.free(left);
        return joined;
    }

    private static TensorImpl tall(Temps t, TensorImpl gL, TensorImpl gU, TensorImpl l, TensorImpl u) {
        long m = Matrices.rows(l);
        long k = Matrices.columns(l);
        TensorImpl lh = t.own(Triangles.turned(l));
        TensorImpl uh = t.own(Triangles.turned(u));
        TensorImpl inner = gU == null ? null : t.own(MatrixOps.matmul(gU, uh));
        if (gL != null) {
            TensorImpl below = t.own(Selection.triangle(gL, false, -1));
            inner = less(t, inner, lh, below);
            t.free(below);
        }
        TensorImpl l1 = t.own(Views.narrow(l, -2, 0, k));
        TensorImpl upper = masked(t, inner.retain(), true, 0);
        TensorImpl left = t.own(Triangles.solve(t.own(Triangles.turned(l1)), upper, true, true, true));
        t.free(upper);
        t.free(inner);
        TensorImpl whole;
        try (Temps w = new Temps()) {
            TensorImpl sum = left;
            if (gL != null) {
                TensorImpl lower = w.own(Selection.triangle(w.own(Views.narrow(gL, -2, 0, k)), false, -1));
                sum = w.own(Elementwise.add(left, lower, 1));
            }
            TensorImpl rest = w.own(gL == null
                    ? Factories.full(l.device(), l.dtype(), 0, Matrices.shape(Matrices.batch(l), m - k, k))
                    : Views.narrow(gL, -2, k, m - k));
            whole = t.own(Joins.cat(-2, sum, rest));
        }
        t.free(left);
        left = whole;
        TensorImpl right = t.own(Triangles.solve(uh, left, false, false, false));
        t.free(left);
        return right;
    }

    /** What there is, less a product. */
    private static TensorImpl less(Temps t, TensorImpl from, TensorImpl x, TensorImpl y) {
        TensorImpl product = t.own(MatrixOps.matmul(x, y));
        TensorImpl made = t.own(from == null ? Pointwise.neg(product) : Elementwise.sub(from, product, 1));
        t.free(product);
        if (from != null) {
            t.free(from);
        }
        return made;
    }

    private static TensorImpl masked(Temps t, TensorImpl owned, boolean upper, long diagonal) {
        try (Temps u = new Temps()) {
            return t.own(Selection.triangle(u.own(owned), upper, diagonal));
        }
    }

    /** X with A X = B by packed factors. */
    public static TensorImpl solve(TensorImpl lu, TensorImpl pivots, TensorImpl b, boolean adjoint) {
        Matrices.requireSquare("linalg.lu_solve", lu);
        Matrices.requireMatrices("linalg.lu_solve", b);
        if (pivots.dtype() != DType.INT32 || Matrices.rows(lu) != Matrices.rows(b)) {
            throw new TensorException("linalg.lu_solve: factors of shape " + Shape.text(lu.shape()) + ", pivots of "
                    + pivots.dtype() + " and B of shape " + Shape.text(b.shape())
                    + ". Give what luFactor gave, and a B with as many rows.");
        }
        if (adjoint && Graph.wanted(lu)) {
            throw new TensorException(
                    "linalg.lu_solve was asked with adjoint of factors that want gradients: here it has a gradient "
                            + "for B alone. Detach the factors, or solve with a.mT(), which has both.");
        }
        TensorImpl x = Lus.solved(lu, pivots, b, adjoint);
        if (Graph.wanted(lu, b)) {
            Node node = Graph.record("LinalgLuSolveBackward0", x, (k, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl gB = k.wants(1) ? t.own(Lus.solved(k.saved(0), k.saved(1), g, !adjoint)) : null;
                    TensorImpl gLu = k.wants(0)
                            ? t.own(packedBackward(g, k.saved(0), k.saved(1), k.saved(2)))
                            : null;
                    return t.give(gLu, gB);
                }
            }, lu, b);
            node.save(Graph.input(node, lu), Graph.input(node, pivots), Graph.resultIf(node.wants(0), node, x));
        }
        return x;
    }

    private static TensorImpl packedBackward(TensorImpl g, TensorImpl lu, TensorImpl pivots, TensorImpl x) {
        try (Temps t = new Temps()) {
            TensorImpl l = t.own(Matrices.empty(lu, lu.dtype(), lu.shape()));
            TensorImpl u = t.own(Matrices.empty(lu, lu.dtype(), lu.shape()));
            if (!Matrices.isIdle(lu)) {
                double[][] each = Matrices.fetch(lu);
                fill(new TensorImpl[]{null, l, u}, each, Matrices.split(HostValues.doubles(pivots), each.length),
                        (int) Matrices.rows(lu), (int) Matrices.columns(lu));
            }
            TensorImpl lh = t.own(Triangles.turned(l));
            TensorImpl uh = t.own(Triangles.turned(u));
            TensorImpl right;
            try (Temps w = new Temps()) {
                TensorImpl product = w.own(MatrixOps.matmul(g, w.own(Triangles.turned(x))));
                right = t.own(Triangles.solve(uh, w.own(Pointwise.neg(product)), false, true, false));
            }
            TensorImpl below;
            try (Temps w = new Temps()) {
                TensorImpl product = w.own(MatrixOps.matmul(right, uh));
                TensorImpl solved = w.own(Triangles.solve(lh, product, true, true, true));
                below = t.own(Selection.triangle(solved, false, -1));
            }
            return Elementwise.add(below, t.own(Selection.triangle(right, true, 0)), 1);
        }
    }
}
