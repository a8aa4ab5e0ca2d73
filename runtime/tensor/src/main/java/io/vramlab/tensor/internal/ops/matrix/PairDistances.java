package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/**
 * Distances between all rows of two matrices, or of one. Euclidean ones of more than 25 rows come from one product of matrices,
 * as in PyTorch; the others have no kernel here and are computed on the host, with PyTorch's memory.
 */
public final class PairDistances {

    /** From how many rows on PyTorch multiplies. */
    private static final long MANY = 25;

    private PairDistances() {
    }

    /** [… p, r] of the p-norms of x1 [… p, m] minus x2 [… r, m]. */
    public static TensorImpl cdist(TensorImpl x1, TensorImpl x2, double p) {
        if (x1.rank() < 2 || x2.rank() != x1.rank() || x1.size(-1) != x2.size(-1) || p < 0) {
            throw new TensorException("cdist of p=" + p + " was asked of shapes " + Shape.text(x1.shape()) + " and "
                    + Shape.text(x2.shape())
                    + ": they are [… rows, columns] with the same dimensions before and the same columns, and p is not "
                    + "negative.");
        }
        if (p == 2 && (x1.size(-2) > MANY || x2.size(-2) > MANY)) {
            return euclidean(x1, x2);
        }
        if (x1.rank() != 2) {
            throw new TensorException("cdist of p=" + p + " was asked of shapes " + Shape.text(x1.shape()) + " and "
                    + Shape.text(x2.shape()) + ": other than Euclidean distances of more than " + MANY
                    + " rows are here between two matrices only. Ask for each of a batch by itself.");
        }
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(Copies.contiguous(x1));
            TensorImpl b = t.own(Copies.contiguous(x2));
            TensorImpl out = t.own(TensorImpl.empty(x1.device(), x1.dtype(), x1.shape()[0], x2.shape()[0]));
            int m = (int) x1.size(-1);
            HostLoops.fill(out, () -> all(HostLoops.read(a), HostLoops.read(b), m, p));
            if (Graph.wanted(x1, x2)) {
                Node node = Graph.record("CdistBackward0", out, (n, g) -> {
                    TensorImpl first = n.saved(0);
                    TensorImpl second = n.saved(1);
                    TensorImpl distances = n.saved(2);
                    try (Temps u = new Temps()) {
                        TensorImpl dense = u.own(Copies.contiguous(g));
                        TensorImpl toFirst = u.own(slope(dense, first, second, distances, p));
                        TensorImpl turned = u.own(Copies.contiguous(u.own(Views.transpose(g, 0, 1))));
                        TensorImpl back = u.own(Copies.contiguous(u.own(Views.transpose(distances, 0, 1))));
                        TensorImpl toSecond = u.own(slope(turned, second, first, back, p));
                        return u.give(toFirst, toSecond);
                    }
                }, x1, x2);
                node.save(Graph.input(node, x1), Graph.input(node, x2), Graph.result(node, out));
            }
            return t.give(out);
        }
    }

    private static double[] all(double[] a, double[] b, int m, double p) {
        int rows = a.length / m;
        int columns = b.length / m;
        double[] out = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                out[i * columns + j] = distance(a, i * m, b, j * m, m, p);
            }
        }
        return out;
    }

    private static double distance(double[] a, int i, double[] b, int j, int m, double p) {
        double sum = 0;
        for (int k = 0; k < m; k++) {
            double d = Math.abs(a[i + k] - b[j + k]);
            sum = Double.isInfinite(p) ? Math.max(sum, d) : p == 0 ? sum + Math.signum(d) : sum + Math.pow(d, p);
        }
        return Double.isInfinite(p) || p == 0 ? sum : Math.pow(sum, 1 / p);
    }

    /** d distance / d a[k], for a difference of that size. */
    private static double slope(double d, double distance, double p) {
        if (p == 0 || distance == 0) {
            return 0;
        }
        if (Double.isInfinite(p)) {
            return Math.abs(d) == distance ? Math.signum(d) : 0;
        }
        return p == 1
                ? Math.signum(d)
                : Math.signum(d) * Math.pow(Math.abs(d), p - 1) * Math.pow(distance, 1 - p);
    }

    private static TensorImpl slope(TensorImpl g, TensorImpl a, TensorImpl b, TensorImpl distances, double p) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            // each row of b's part, summed afterwards
            t.own(TensorImpl.empty(a.device(), a.dtype(), b.shape()[0], a.shape()[0], a.shape()[1]));
            HostLoops.fill(out, () -> {
                double[] x = HostLoops.read(a);
                double[] y = HostLoops.read(b);
                double[] from = HostLoops.read(g);
                double[] d = HostLoops.read(distances);
                int m = (int) a.size(-1);
                int columns = y.length / m;
                double[] to = new double[x.length];
                for (int i = 0; i < x.length; i++) {
                    for (int j = 0; j < columns; j++) {
                        int cell = i / m * columns + j;
                        to[i] += from[cell] * slope(x[i] - y[j * m + i % m], d[cell], p);
                    }
                }
                return to;
            });
            return t.give(out);
        }
    }

    /** The square of a difference as a product: (-2 x1, |x1|^2, 1) with (x2, 1, |x2|^2). */
    private static TensorImpl euclidean(TensorImpl x1, TensorImpl x2) {
        try (Temps t = new Temps()) {
            TensorImpl out;
            try (GradMode.State off = GradMode.enter(false); Temps u = new Temps()) {
                TensorImpl norm1 = u.own(squares(x1));
                TensorImpl one1 = u.own(Factories.fullLike(norm1, 1));
                TensorImpl norm2 = u.own(squares(x2));
                TensorImpl one2 = u.own(Factories.fullLike(norm2, 1));
                TensorImpl left = u.own(Elementwise.mul(x1, -2, true));
                TensorImpl wide1 = u.own(Joins.cat(-1, left, norm1, one1));
                u.free(one1);
                u.free(norm1);
                u.free(left);
                TensorImpl wide2 = u.own(Joins.cat(-1, x2, one2, norm2));
                u.free(norm2);
                u.free(one2);
                out = t.own(MatrixOps.matmul(wide1, u.own(Views.transpose(wide2, -1, -2))));
                InPlace.clamp(out, 0, Double.POSITIVE_INFINITY);
                InPlace.sqrt(out);
                u.free(wide2);
                u.free(wide1);
            }
            if (Graph.wanted(x1, x2)) {
                Node node = Graph.record("EuclideanDistBackward0", out, (n, g) -> euclideanSlopes(n, g), x1, x2);
                node.save(Graph.input(node, x1), Graph.input(node, x2), Graph.result(node, out));
            }
            return t.give(out);
        }
    }

    private static TensorImpl squares(TensorImpl x) {
        try (Temps t = new Temps()) {
            return Sums.sum(t.own(Pointwise.pow(x, 2)), new int[]{-1}, true);
        }
    }

    private static TensorImpl[] euclideanSlopes(Node n, TensorImpl g) {
        TensorImpl x1 = n.saved(0);
        TensorImpl x2 = n.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl ratio = t.own(Elementwise.div(g, n.saved(2)));
            try (Temps u = new Temps()) {
                TensorImpl zero = u.own(Elementwise.compare(ElementOp.EQ_SCALAR, n.saved(2), 0));
                InPlace.maskedFill(ratio, zero, 0);
            }
            // all temporaries go at the end of the one expression that makes both
            TensorImpl from1 = t.own(MatrixOps.matmul(ratio, x2));
            TensorImpl weight1 = t.own(Sums.sum(ratio, new int[]{-1}, true));
            TensorImpl own1 = t.own(Elementwise.mul(x1, weight1));
            TensorImpl to1 = t.own(Elementwise.sub(own1, from1, 1));
            TensorImpl from2 = t.own(MatrixOps.matmul(t.own(Views.transpose(ratio, -1, -2)), x1));
            TensorImpl weight2 = t.own(Sums.sum(ratio, new int[]{-2}, false));
            TensorImpl own2 = t.own(Elementwise.mul(x2, t.own(Views.unsqueeze(weight2, -1))));
            TensorImpl to2 = t.own(Elementwise.sub(own2, from2, 1));
            return t.give(to1, to2);
        }
    }

    /** [n (n - 1) / 2] of the p-norms of a row of x [n, m] minus a later one. */
    public static TensorImpl pdist(TensorImpl x, double p) {
        if (x.rank() != 2 || p < 0) {
            throw new TensorException("pdist of p=" + p + " was asked of a tensor of shape " + Shape.text(x.shape())
                    + ": pdist only supports 2D tensors, and non-negative p values.");
        }
        int rows = (int) x.shape()[0];
        int m = (int) x.shape()[1];
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(Copies.contiguous(x));
            TensorImpl out = t.own(TensorImpl.empty(x.device(), x.dtype(), (long) rows * (rows - 1) / 2));
            HostLoops.fill(out, () -> {
                double[] v = HostLoops.read(a);
                double[] y = new double[rows * (rows - 1) / 2];
                int at = 0;
                for (int i = 0; i < rows; i++) {
                    for (int j = i + 1; j < rows; j++) {
                        y[at++] = distance(v, i * m, v, j * m, m, p);
                    }
                }
                return y;
            });
            if (Graph.wanted(x)) {
                Node node = Graph.recordUnary("PdistBackward0", out, x, (n, g) -> pdistSlope(n, g, rows, m, p));
                node.save(Graph.input(node, x), Graph.result(node, out));
            }
            return t.give(out);
        }
    }

    private static TensorImpl pdistSlope(Node n, TensorImpl g, int rows, int m, double p) {
        TensorImpl x = n.saved(0);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape()));
            // what each of the others adds, summed afterwards
            t.own(TensorImpl.empty(x.device(), x.dtype(), Math.max(0, rows - 1), rows, m));
            HostLoops.fill(out, () -> {
                double[] v = HostLoops.read(x);
                double[] from = HostLoops.read(g);
                double[] d = HostLoops.read(n.saved(1));
                double[] to = new double[v.length];
                int at = 0;
                for (int i = 0; i < rows; i++) {
                    for (int j = i + 1; j < rows; j++, at++) {
                        for (int k = 0; k < m; k++) {
                            double slope = from[at] * slope(v[i * m + k] - v[j * m + k], d[at], p);
                            to[i * m + k] += slope;
                            to[j * m + k] -= slope;
                        }
                    }
                }
                return to;
            });
            return t.give(out);
        }
    }
}
