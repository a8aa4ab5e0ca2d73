package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.footprint.SolverFootprints;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;

/** Cholesky's factor of positive definite matrices. */
public final class Choleskys {

    private static final String REFUSED = "The factorization could not be completed because the input is not positive-definite "
            + "(the leading minor of order %d is not positive-definite). Add to the diagonal, or take eigh.";

    private Choleskys() {
    }

    /** The factor, and for each matrix 0 or the order of the first minor that is not positive. */
    public static TensorImpl[] withInfo(TensorImpl a, boolean upper) {
        Matrices.requireSquare("linalg.cholesky", a);
        long[] batch = Matrices.batch(a);
        long n = Matrices.rows(a);
        TensorImpl out = Matrices.byColumns(a, batch, n, n);
        try (Temps t = new Temps()) {
            t.own(out);
            TensorImpl info = t.own(Matrices.empty(a, DType.INT32, batch));
            long many = Matrices.many(a);
            Scratchpad.pass(a, SolverFootprints.cholesky(Scratchpad.element(a), many, n, upper));
            if (!Matrices.isIdle(a)) {
                double[][] each = Matrices.fetch(a);
                double[] failed = new double[each.length];
                for (int i = 0; i < each.length; i++) {
                    HostFactors.Cholesky c = HostFactors.cholesky(each[i], (int) n, upper);
                    each[i] = upper ? Matrices.transposed(c.factor(), (int) n, (int) n) : c.factor();
                    failed[i] = c.info();
                }
                Matrices.put(out, each);
                Matrices.put(info, failed);
            }
            if (Graph.wanted(a)) {
                Node node = Graph.record("LinalgCholeskyExBackward0", out,
                        (k, g) -> new TensorImpl[]{backward(g, k.saved(0), upper)}, a);
                node.save(Graph.result(node, out));
            }
            return t.give(new TensorImpl[]{out, info});
        }
    }

    public static TensorImpl of(TensorImpl a, boolean upper) {
        TensorImpl[] both = withInfo(a, upper);
        try (Temps t = new Temps()) {
            t.own(both[0]);
            t.own(both[1]);
            Scratchpad.check(both[1], "linalg.cholesky", REFUSED);
            return t.give(both[0]);
        }
    }

    private static TensorImpl backward(TensorImpl g, TensorImpl factor, boolean upper) {
        try (Temps t = new Temps()) {
            TensorImpl l = upper ? t.own(Triangles.turned(factor)) : factor;
            TensorImpl gL = upper ? t.own(Triangles.turned(g)) : g;
            TensorImpl lh = t.own(Triangles.turned(l));
            TensorImpl product = t.own(MatrixOps.matmul(lh, gL));
            TensorImpl gA = t.own(Selection.triangle(product, false, 0));
            t.free(product);
            TensorImpl half;
            try (Temps u = new Temps()) {
                TensorImpl below = u.own(Triangles.turned(u.own(Selection.triangle(gA, false, -1))));
                half = t.own(Elementwise.mul(u.own(Elementwise.add(gA, below, 1)), .5, false));
            }
            t.free(gA);
            TensorImpl first = t.own(Triangles.solve(lh, half, true, true, false));
            t.free(half);
            return Triangles.solve(l, first, false, false, false);
        }
    }
}
