package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.footprint.SolverFootprints;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Solving with one triangle of a matrix: {@code torch.linalg.solve_triangular}. */
public final class Triangles {

    private Triangles() {
    }

    /** X with A X = B, or with {@code left} false X A = B. */
    public static TensorImpl solve(TensorImpl a, TensorImpl b, boolean upper, boolean left, boolean unit) {
        Matrices.requireSquare("linalg.solve_triangular", a);
        Matrices.requireMatrices("linalg.solve_triangular", b);
        long n = Matrices.rows(a);
        if ((left ? Matrices.rows(b) : Matrices.columns(b)) != n) {
            throw new TensorException("linalg.solve_triangular: Incompatible shapes of A and B for the equation "
                    + (left ? "AX = B" : "XA = B") + " (" + Shape.text(a.shape()) + " and " + Shape.text(b.shape())
                    + "). Give B as many " + (left ? "rows" : "columns") + " as A has.");
        }
        long[] batch = Shape.broadcast(Matrices.batch(a), Matrices.batch(b), "linalg.solve_triangular");
        TensorImpl out = Matrices.byColumns(b, batch, Matrices.rows(b), Matrices.columns(b));
        try (Temps t = new Temps()) {
            t.own(out);
            if (!lies(a, batch)) {
                Scratchpad.block(t, a, n * n * Matrices.many(out) * Scratchpad.element(a));
            }
            Scratchpad.pass(a, SolverFootprints.triangles(Matrices.many(out), n));
            if (!Matrices.isIdle(out)) {
                compute(t, out, a, b, upper, left, unit);
            }
            t.give(out);
        }
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("LinalgSolveTriangularBackward0", out,
                    (k, g) -> backward(k, g, upper, left, unit, b.shape()), a, b);
            node.save(Graph.input(node, a), Graph.resultIf(node.wants(0), node, out));
        }
        return out;
    }

    /** Whether the library can read it where it is: each matrix by rows or by columns, one behind the other, as many as there are results. */
    private static boolean lies(TensorImpl a, long... batch) {
        if (!Arrays.equals(Matrices.batch(a), batch)) {
            return false;
        }
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            return a.isContiguous() || t.own(turned(a)).isContiguous();
        }
    }

    private static void compute(Temps t, TensorImpl out, TensorImpl a, TensorImpl b, boolean upper, boolean left,
            boolean unit) {
        long[] batch = Matrices.batch(out);
        int n = (int) Matrices.rows(a);
        double[][] as = Matrices.fetch(t.own(Views.expand(a, Matrices.shape(batch, n, n))));
        double[][] bs = Matrices.fetch(t.own(Views.expand(b, out.shape())));
        int rows = (int) Matrices.rows(b);
        int columns = (int) Matrices.columns(b);
        for (int i = 0; i < as.length; i++) {
            if (left) {
                HostLu.triangular(as[i], n, bs[i], columns, upper, unit);
            } else {
                double[] turned = Matrices.transposed(bs[i], rows, columns);
                HostLu.triangular(Matrices.transposed(as[i], n, n), n, turned, rows, !upper, unit);
                bs[i] = Matrices.transposed(turned, columns, rows);
            }
        }
        Matrices.put(out, bs);
    }

    private static TensorImpl[] backward(Node k, TensorImpl g, boolean upper, boolean left, boolean unit,
            long... shapeB) {
        try (Temps t = new Temps()) {
            TensorImpl a = k.saved(0);
            TensorImpl gB = t.own(solve(t.own(turned(a)), g, !upper, left, unit));
            TensorImpl gA = null;
            if (k.wants(0)) {
                TensorImpl x = t.own(turned(k.saved(1)));
                TensorImpl product = t.own(left ? MatrixOps.matmul(gB, x) : MatrixOps.matmul(x, gB));
                TensorImpl minus = t.own(Pointwise.neg(product));
                t.free(product);
                TensorImpl part = t.own(Selection.triangle(minus, upper, unit ? upper ? 1 : -1 : 0));
                t.free(minus);
                gA = Matrices.summed(t, part, a.shape());
            }
            TensorImpl summed = k.wants(1) ? Matrices.summed(t, gB, shapeB) : null;
            return t.give(gA, summed);
        }
    }

    static TensorImpl turned(TensorImpl a) {
        return Views.transpose(a, -2, -1);
    }
}
