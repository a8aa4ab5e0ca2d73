package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.footprint.SolverFootprints;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** What comes nearest to A X = B: {@code torch.linalg.lstsq}. */
public final class LeastSquares {

    private LeastSquares() {
    }

    /** X, and where there are more rows than columns the sums of squares that are left, else nothing. */
    public static TensorImpl[] of(TensorImpl a, TensorImpl b) {
        Matrices.requireMatrices("linalg.lstsq", a);
        Matrices.requireMatrices("linalg.lstsq", b);
        long m = Matrices.rows(a);
        long n = Matrices.columns(a);
        if (Matrices.rows(b) != m || !Arrays.equals(Matrices.batch(a), Matrices.batch(b))) {
            throw new TensorException("linalg.lstsq: A of shape " + Shape.text(a.shape()) + " and B of shape "
                    + Shape.text(b.shape()) + ". Give as many matrices, with as many rows.");
        }
        long columns = Matrices.columns(b);
        try (Temps t = new Temps()) {
            TensorImpl info = t.own(Matrices.empty(a, DType.INT32, Matrices.batch(a)));
            TensorImpl whole = t.own(Matrices.byColumns(b, Matrices.batch(a), Math.max(m, n), columns));
            TensorImpl copy = t.own(Matrices.byColumns(a, Matrices.batch(a), m, n));
            Scratchpad.pass(a, SolverFootprints.leastSquares(Scratchpad.element(a), Matrices.many(a), m, n, columns));
            TensorImpl left = t.own(m > n
                    ? Matrices.empty(a, a.dtype(), Matrices.shape(Matrices.batch(a), columns))
                    : Matrices.empty(a, a.dtype(), 0));
            TensorImpl x = t.own(m > n ? Views.narrow(whole, -2, 0, n) : whole.alias());
            if (!Matrices.isIdle(a)) {
                compute(a, b, whole, left);
                Matrices.put(info, new double[(int) Matrices.many(a)]);
            }
            t.free(copy);
            Scratchpad.check(info, "linalg.lstsq",
                    "The least squares solution could not be computed because the input matrix "
                            + "does not have full rank (error code: %d). Take pinv.");
            t.free(info);
            if (Graph.wanted(a, b)) {
                Node node = Graph.record("LinalgLstsqBackward0", x, LeastSquares::backward, a, b);
                node.save(Graph.input(node, a), Graph.input(node, b));
            }
            return t.give(new TensorImpl[]{x, left});
        }
    }

    private static void compute(TensorImpl a, TensorImpl b, TensorImpl whole, TensorImpl left) {
        int m = (int) Matrices.rows(a);
        int n = (int) Matrices.columns(a);
        int columns = (int) Matrices.columns(b);
        double[][] as = Matrices.fetch(a);
        double[][] bs = Matrices.fetch(b);
        double[][] sums = new double[as.length][columns];
        for (int i = 0; i < as.length; i++) {
            if (m < n) {
                bs[i] = shortest(Matrices.transposed(as[i], m, n), n, m, bs[i], columns);
                continue;
            }
            HostFactors.Reflections r = HostFactors.reflections(as[i], m, n);
            double[] q = HostFactors.product(r, m);
            double[] turned = new double[m * columns];
            for (int row = 0; row < m; row++) {
                for (int c = 0; c < columns; c++) {
                    for (int k = 0; k < m; k++) {
                        turned[row * columns + c] += q[k * m + row] * bs[i][k * columns + c];
                    }
                    if (row >= n) {
                        sums[i][c] += turned[row * columns + c] * turned[row * columns + c];
                    }
                }
            }
            HostLu.triangular(Arrays.copyOf(r.a(), n * n), n, turned, columns, true, false);
            // below the solution lies what is left of B, which nobody sees
            bs[i] = turned;
        }
        Matrices.put(whole, bs);
        Matrices.put(left, sums);
    }

    /** Of many solutions the shortest, from the factors of the transpose. */
    private static double[] shortest(double[] turned, int n, int m, double[] b, int columns) {
        HostFactors.Reflections r = HostFactors.reflections(turned, n, m);
        double[] q = HostFactors.product(r, m);
        double[] z = b.clone();
        HostLu.triangular(Matrices.transposed(Arrays.copyOf(r.a(), m * m), m, m), m, z, columns, false, false);
        double[] x = new double[n * columns];
        for (int row = 0; row < n; row++) {
            for (int k = 0; k < m; k++) {
                for (int c = 0; c < columns; c++) {
                    x[row * columns + c] += q[row * m + k] * z[k * columns + c];
                }
            }
        }
        return x;
    }

    private static TensorImpl[] backward(Node k, TensorImpl g) {
        try (Temps t = new Temps()) {
            TensorImpl a = k.saved(0);
            TensorImpl inverse = t.own(PseudoInverses.of(a, 0, Double.NaN, false));
            TensorImpl gA = null;
            if (k.wants(0)) {
                try (Temps u = new Temps()) {
                    TensorImpl gInverse = u.own(MatrixOps.matmul(g, u.own(Triangles.turned(k.saved(1)))));
                    gA = PseudoInverses.backward(gInverse, inverse, a);
                }
                t.own(gA);
            }
            TensorImpl gB = k.wants(1) ? t.own(MatrixOps.matmul(t.own(Triangles.turned(inverse)), g)) : null;
            return t.give(gA, gB);
        }
    }
}
