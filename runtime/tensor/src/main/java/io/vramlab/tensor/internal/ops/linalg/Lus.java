package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.footprint.SolverFootprints;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** What goes by Gaussian elimination: solutions, inverses and determinants. */
public final class Lus {

    private static final String SINGULAR = "The solver failed because the input matrix is singular (the diagonal element %d is zero). "
            + "Add to the diagonal, or take lstsq or pinv.";

    private Lus() {
    }

    /** Factors in one matrix, pivots counted from 1, and which pivot was zero. */
    record Factors(TensorImpl lu, TensorImpl pivots, TensorImpl info) {
    }

    /** Of the transpose, if so wanted, which is what PyTorch factors of matrices whose rows lie together. */
    static Factors factors(Temps t, TensorImpl a, boolean transposed) {
        long[] batch = Matrices.batch(a);
        long m = Matrices.rows(a);
        long n = Matrices.columns(a);
        TensorImpl lu = t.own(Matrices.byColumns(a, batch, m, n));
        TensorImpl pivots = t.own(Matrices.empty(a, DType.INT32, Matrices.shape(batch, Math.min(m, n))));
        TensorImpl info = t.own(Matrices.empty(a, DType.INT32, batch));
        Scratchpad.pass(a, SolverFootprints.factors(Scratchpad.element(a), Matrices.many(a), m, n));
        if (!Matrices.isIdle(a)) {
            double[][] each = Matrices.fetch(a);
            double[][] rows = new double[each.length][];
            double[] failed = new double[each.length];
            for (int i = 0; i < each.length; i++) {
                double[] matrix = transposed ? Matrices.transposed(each[i], (int) m, (int) n) : each[i];
                HostLu host = new HostLu(matrix, (int) m, (int) n);
                each[i] = host.lu;
                rows[i] = host.pivots;
                failed[i] = host.info;
            }
            Matrices.put(lu, each);
            Matrices.put(pivots, rows);
            Matrices.put(info, failed);
        }
        return new Factors(lu, pivots, info);
    }

    /** X with A X = B by A's factors, or by those of its transpose. */
    static TensorImpl solved(TensorImpl lu, TensorImpl pivots, TensorImpl b, boolean transposed) {
        TensorImpl out = Matrices.byColumns(b, Matrices.batch(lu), Matrices.rows(b), Matrices.columns(b));
        try (Temps t = new Temps()) {
            t.own(out);
            into(t, out, lu, pivots, b, transposed);
            return t.give(out);
        }
    }

    private static void into(Temps t, TensorImpl out, TensorImpl lu, TensorImpl pivots, TensorImpl b,
            boolean transposed) {
        Scratchpad.pass(lu, SolverFootprints.solutions(Scratchpad.element(lu), Matrices.many(lu), Matrices.rows(lu),
                Matrices.columns(b), transposed));
        if (Matrices.isIdle(out)) {
            return;
        }
        int n = (int) Matrices.rows(lu);
        double[][] lus = Matrices.fetch(lu);
        double[][] orders = Matrices.split(HostValues.doubles(pivots), lus.length);
        double[][] bs = Matrices.fetch(t.own(Views.expand(b, out.shape())));
        for (int i = 0; i < lus.length; i++) {
            bs[i] = new HostLu(lus[i], orders[i], n).solve(bs[i], (int) Matrices.columns(b), transposed);
        }
        Matrices.put(out, bs);
    }

    /** X with A X = B, of matrices or of one vector for each matrix. */
    public static TensorImpl solve(TensorImpl a, TensorImpl b) {
        Matrices.requireSquare("linalg.solve", a);
        boolean vector = b.rank() == 1 || b.rank() == a.rank() - 1
                && Arrays.equals(b.shape(), Arrays.copyOf(a.shape(), a.rank() - 1));
        if (b.rank() == 0 || (vector ? b.size(-1) : b.size(-2)) != a.size(-1)) {
            throw new TensorException("linalg.solve: Incompatible shapes of A and B for the equation AX = B ("
                    + Shape.text(a.shape()) + " and " + Shape.text(b.shape()) + "). Give B as many rows as A has.");
        }
        try (Temps t = new Temps()) {
            TensorImpl right = vector ? t.own(Views.unsqueeze(t.own(Views.detach(b)), -1)) : b;
            long[] batch = Shape.broadcast(Matrices.batch(a), Matrices.batch(right), "linalg.solve");
            TensorImpl whole = Matrices.many(a) == Arrays.stream(batch).reduce(1, (x, y) -> x * y)
                    ? a
                    : t.own(Views.expand(t.own(Views.detach(a)), Matrices.shape(batch, a.size(-2), a.size(-1))));
            TensorImpl out = t.own(Matrices.byColumns(right, batch, right.size(-2), right.size(-1)));
            Factors f = factors(t, whole, false);
            try (Temps u = new Temps()) {
                if (vector) {
                    u.own(TensorImpl.empty(right.device(), right.dtype(), out.shape()));
                }
                into(u, out, f.lu, f.pivots, right, false);
            }
            TensorImpl result = vector
                    ? t.own(out.alias(Matrices.shape(batch, out.size(-2)), strides(out), out.offset()))
                    : out;
            if (Graph.wanted(a, b)) {
                Node node = Graph.record("LinalgSolveExBackward0", result,
                        (k, g) -> solveBackward(k, g, vector, a.shape(), b.shape()),
                        a, b);
                node.save(Graph.resultIf(node.wants(0), node, result), Graph.input(node, f.lu),
                        Graph.input(node, f.pivots));
            }
            t.free(f.lu);
            t.free(f.pivots);
            Scratchpad.check(f.info, "linalg.solve", SINGULAR);
            return t.give(result);
        }
    }

    private static long[] strides(TensorImpl out) {
        return Arrays.copyOf(out.strides(), out.rank() - 1);
    }

    private static TensorImpl[] solveBackward(Node k, TensorImpl g, boolean vector, long[] shapeA,
            long... shapeB) {
        try (Temps t = new Temps()) {
            TensorImpl gX = vector ? t.own(Views.unsqueeze(g, -1)) : g;
            TensorImpl gB = t.own(solved(k.saved(1), k.saved(2), gX, true));
            TensorImpl gA = null;
            if (k.wants(0)) {
                TensorImpl x = vector ? t.own(Views.unsqueeze(k.saved(0), -1)) : k.saved(0);
                TensorImpl product = t.own(MatrixOps.matmul(gB, t.own(Triangles.turned(x))));
                TensorImpl minus = t.own(Pointwise.neg(product));
                t.free(product);
                gA = Matrices.summed(t, minus, shapeA);
            }
            TensorImpl b = !k.wants(1) ? null : vector ? t.own(Views.squeeze(gB, -1)) : gB;
            return t.give(gA, b == null ? null : Matrices.summed(t, b, shapeB));
        }
    }

    /** The inverse, and for each matrix 0 or the pivot that was zero. */
    public static TensorImpl[] inverseWithInfo(TensorImpl a) {
        Matrices.requireSquare("linalg.inv", a);
        long n = Matrices.rows(a);
        TensorImpl out = Matrices.byColumns(a, Matrices.batch(a), n, n);
        try (Temps t = new Temps()) {
            t.own(out);
            TensorImpl info = t.own(Matrices.empty(a, DType.INT32, Matrices.batch(a)));
            try (Temps u = new Temps()) {
                TensorImpl lu = u.own(Matrices.byColumns(a, Matrices.batch(a), n, n));
                u.own(Matrices.empty(a, DType.INT32, Matrices.shape(Matrices.batch(a), n)));
                Scratchpad.pass(a, SolverFootprints.factors(Scratchpad.element(a), Matrices.many(a), n, n));
                Scratchpad.pass(lu, SolverFootprints.solutions(Scratchpad.element(lu), Matrices.many(lu), n, n, false));
            }
            if (!Matrices.isIdle(a)) {
                invert(a, out, info);
            }
            if (Graph.wanted(a)) {
                Node node = Graph.record("LinalgInvExBackward0", out, (k, g) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl turned = u.own(Triangles.turned(k.saved(0)));
                        TensorImpl inner = u.own(MatrixOps.matmul(g, turned));
                        return new TensorImpl[]{Pointwise.neg(u.own(MatrixOps.matmul(turned, inner)))};
                    }
                }, a);
                node.save(Graph.result(node, out));
            }
            return t.give(new TensorImpl[]{out, info});
        }
    }

    private static void invert(TensorImpl a, TensorImpl out, TensorImpl info) {
        double[][] each = Matrices.fetch(a);
        double[] failed = new double[each.length];
        int n = (int) Matrices.rows(a);
        double[] one = new double[n * n];
        for (int i = 0; i < n; i++) {
            one[i * n + i] = 1;
        }
        for (int i = 0; i < each.length; i++) {
            HostLu host = new HostLu(each[i], n, n);
            each[i] = host.solve(one, n, false);
            failed[i] = host.info;
        }
        Matrices.put(out, each);
        Matrices.put(info, failed);
    }

    public static TensorImpl inverse(TensorImpl a) {
        TensorImpl[] both = inverseWithInfo(a);
        try (Temps t = new Temps()) {
            t.own(both[0]);
            t.own(both[1]);
            Scratchpad.check(both[1], "linalg.inv",
                    "The diagonal element %d is zero, the inversion could not be completed because the input matrix is singular. "
                            + "Add to the diagonal, or take pinv.");
            return t.give(both[0]);
        }
    }

    /** The determinant. */
    public static TensorImpl det(TensorImpl a) {
        Matrices.requireSquare("linalg.det", a);
        long[] batch = Matrices.batch(a);
        long n = Matrices.rows(a);
        boolean turned = a.isContiguous();
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Matrices.empty(a, a.dtype(), batch));
            Factors f = factors(t, a, turned);
            try (Temps u = new Temps()) {
                TensorImpl product = Scratchpad.block(u, a, Scratchpad.element(a) * Matrices.many(a));
                TensorImpl swaps = swaps(u, a, n);
                u.free(swaps);
                u.free(product);
            }
            t.free(f.info);
            if (!Matrices.isIdle(a)) {
                double[][] lus = Matrices.fetch(f.lu);
                double[][] orders = Matrices.split(
                        HostValues.doubles(f.pivots), lus.length);
                double[] dets = new double[lus.length];
                for (int i = 0; i < dets.length; i++) {
                    dets[i] = new HostLu(lus[i], orders[i], (int) n).sign();
                    for (int j = 0; j < n; j++) {
                        dets[i] *= lus[i][(int) (j * n + j)];
                    }
                }
                Matrices.put(out, dets);
            }
            if (Graph.wanted(a)) {
                Node node = Graph.record("LinalgDetBackward0", out, (k, g) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl d = u.own(Elementwise.mul(g, k.saved(2)));
                        TensorImpl spread = diagonalOf(u, d, n);
                        return new TensorImpl[]{perturbed(k.saved(0), k.saved(1), spread, !turned)};
                    }
                }, a);
                node.save(Graph.input(node, f.lu), Graph.input(node, f.pivots), Graph.result(node, out));
            }
            return t.give(out);
        }
    }

    /** Compares the pivots with the rows' numbers and counts: what stays of it is the count. */
    private static TensorImpl swaps(Temps u, TensorImpl a, long n) {
        long many = Matrices.many(a);
        TensorImpl numbers = Scratchpad.block(u, a, Integer.BYTES * n);
        TensorImpl moved = Scratchpad.block(u, a, n * many);
        TensorImpl count = Scratchpad.block(u, a, Long.BYTES * many);
        TensorImpl wide = Scratchpad.block(u, a, Long.BYTES * n * many);
        u.free(wide);
        u.free(moved);
        u.free(numbers);
        return count;
    }

    private static TensorImpl diagonalOf(Temps u, TensorImpl d, long n) {
        TensorImpl column = u.own(Views.unsqueeze(d, -1));
        TensorImpl wide = u.own(Views.expand(column, Matrices.shape(d.shape(), n)));
        return u.own(Triangles.turned(u.own(Diagonals.embed(wide, 0, -2, -1))));
    }

    /** Solves with a zero on the diagonal of U taken for the smallest number. */
    private static TensorImpl perturbed(TensorImpl lu, TensorImpl pivots, TensorImpl d, boolean turned) {
        try (Temps t = new Temps()) {
            TensorImpl shifted;
            try (Temps u = new Temps()) {
                TensorImpl zero = u.own(Elementwise.compare(ElementOp.EQ_SCALAR,
                        u.own(Diagonals.diagonal(lu, 0, -2, -1)), 0));
                // two numbers of Python's are float32
                TensorImpl small = u.own(Selection.where(zero, lu.dtype().eps(), 0));
                shifted = t.own(Elementwise.add(lu, u.own(Diagonals.embed(small, 0, -2, -1)), 1));
            }
            return solved(shifted, pivots, d, turned);
        }
    }

    /** The sign of the determinant, and the logarithm of its magnitude. */
    public static TensorImpl[] slogdet(TensorImpl a) {
        Matrices.requireSquare("linalg.slogdet", a);
        long[] batch = Matrices.batch(a);
        long n = Matrices.rows(a);
        long many = Matrices.many(a);
        long row = Scratchpad.element(a) * n * many;
        boolean turned = a.isContiguous();
        try (Temps t = new Temps()) {
            TensorImpl sign = t.own(Matrices.empty(a, a.dtype(), batch));
            TensorImpl log = t.own(Matrices.empty(a, a.dtype(), batch));
            Factors f = factors(t, a, turned);
            try (Temps u = new Temps()) {
                TensorImpl count = swaps(u, a, n);
                Scratchpad.pass(a, row, Scratchpad.element(a) * many);
                u.free(count);
                Scratchpad.pass(a, row);
            }
            t.free(f.info);
            if (!Matrices.isIdle(a)) {
                double[][] lus = Matrices.fetch(f.lu);
                double[][] orders = Matrices.split(
                        HostValues.doubles(f.pivots), lus.length);
                double[] signs = new double[lus.length];
                double[] logs = new double[lus.length];
                for (int i = 0; i < signs.length; i++) {
                    signs[i] = new HostLu(lus[i], orders[i], (int) n).sign();
                    for (int j = 0; j < n; j++) {
                        signs[i] *= Math.signum(lus[i][(int) (j * n + j)]);
                        logs[i] += Math.log(Math.abs(lus[i][(int) (j * n + j)]));
                    }
                }
                Matrices.put(sign, signs);
                Matrices.put(log, logs);
            }
            if (Graph.wanted(a)) {
                TensorImpl[] both = {sign, log};
                Node node = Graph.recordSeveral("LinalgSlogdetBackward0", both, (k, g) -> {
                    if (g[1] == null) {
                        // the sign does not change
                        return new TensorImpl[]{null};
                    }
                    try (Temps u = new Temps()) {
                        return new TensorImpl[]{
                                solved(k.saved(0), k.saved(1), diagonalOf(u, g[1], n), !turned)};
                    }
                }, a);
                node.save(Graph.input(node, f.lu), Graph.input(node, f.pivots),
                        Graph.input(node, t.own(sign.alias())));
            }
            return t.give(new TensorImpl[]{sign, log});
        }
    }
}
