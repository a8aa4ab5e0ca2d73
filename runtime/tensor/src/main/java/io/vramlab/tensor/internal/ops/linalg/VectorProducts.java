package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.statistics.Scans;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Products of vectors and of several matrices, and powers of numbers as rows. */
public final class VectorProducts {

    private static final int SPACE = 3;

    private VectorProducts() {
    }

    /** The sum of the products along a dimension. */
    public static TensorImpl vecdot(TensorImpl x, TensorImpl y, int dim) {
        try (Temps t = new Temps()) {
            return Sums.sum(t.own(Elementwise.mul(x, y)), new int[]{dim}, false);
        }
    }

    /** The vector that stands upright on two others, along a dimension of three. */
    public static TensorImpl cross(TensorImpl a, TensorImpl b, int dim) {
        if (a.rank() != b.rank() || a.rank() == 0 || a.size(dim) != SPACE || b.size(dim) != SPACE) {
            throw new TensorException("linalg.cross: inputs dimension " + dim + " must have length 3. Got "
                    + Shape.text(a.shape()) + " and " + Shape.text(b.shape())
                    + ". Give tensors of one number of dimensions, with three elements in that one.");
        }
        int d = dim < 0 ? dim + a.rank() : dim;
        long[] shape = Shape.broadcast(a.shape(), b.shape(), "linalg.cross");
        TensorImpl out = TensorImpl.empty(a.device(), Promotion.of(a, b), shape);
        try (Temps t = new Temps()) {
            t.own(out);
            TensorImpl left = t.own(spread(a, shape));
            TensorImpl right = t.own(spread(b, shape));
            for (int i = 0; i < SPACE; i++) {
                TensorImpl to = t.own(part(out, d, i));
                Launch.into(ElementOp.MUL, Launch.NONE, to, t.own(part(left, d, i + 1)), t.own(part(right, d, i + 2)));
                Launch.into(ElementOp.ADDCMUL, new double[]{-1}, to, to, t.own(part(left, d, i + 2)),
                        t.own(part(right, d, i + 1)));
            }
            t.give(out);
        }
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("LinalgCrossBackward0", out, (n, g) -> backward(n, g, d), a, b);
            node.save(Graph.inputIf(node.wants(1), node, a), Graph.inputIf(node.wants(0), node, b));
        }
        return out;
    }

    private static TensorImpl spread(TensorImpl a, long... shape) {
        long[] strides = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            strides[d] = a.shape()[d] == shape[d] ? a.strides()[d] : 0;
        }
        return a.alias(shape, strides, a.offset());
    }

    private static TensorImpl part(TensorImpl a, int dim, int which) {
        long[] shape = a.shape().clone();
        shape[dim] = 1;
        return a.alias(shape, a.strides(), a.offset() + which % SPACE * a.strides()[dim]);
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, int dim) {
        try (Temps t = new Temps()) {
            TensorImpl first = n.wants(0) ? t.own(cross(n.saved(1), g, dim)) : null;
            TensorImpl second = n.wants(1) ? t.own(cross(g, n.saved(0), dim)) : null;
            return t.give(first, second);
        }
    }

    /** The product of several matrices, in the order that needs the fewest multiplications; the first and the last may be vectors. */
    public static TensorImpl multiDot(TensorImpl... given) {
        if (given.length < 2) {
            throw new TensorException("multi_dot(): expected at least 2 tensors but got " + given.length
                    + ". Give the factors of one product.");
        }
        TensorImpl[] all = given.clone();
        try (Temps t = new Temps()) {
            boolean row = all[0].rank() == 1;
            boolean column = all[all.length - 1].rank() == 1;
            if (row) {
                all[0] = t.own(Views.unsqueeze(all[0], 0));
            }
            if (column) {
                all[all.length - 1] = t.own(Views.unsqueeze(all[all.length - 1], -1));
            }
            TensorImpl product = t.own(chain(all, order(all), 0, all.length - 1));
            if (!row && !column) {
                return t.give(product);
            }
            long[] shape = row && column
                    ? new long[0]
                    : row ? new long[]{product.size(-1)} : new long[]{product.size(0)};
            return Views.view(product, shape);
        }
    }

    private static TensorImpl chain(TensorImpl[] all, int[][] cut, int from, int to) {
        if (from == to) {
            return all[from].retain();
        }
        try (Temps t = new Temps()) {
            TensorImpl left = t.own(chain(all, cut, from, cut[from][to]));
            TensorImpl right = t.own(chain(all, cut, cut[from][to] + 1, to));
            return MatrixOps.mm(left, right);
        }
    }

    /** Where each stretch of the chain is cut best. */
    private static int[][] order(TensorImpl... all) {
        int n = all.length;
        long[][] cost = new long[n][n];
        int[][] cut = new int[n][n];
        for (int length = 1; length < n; length++) {
            for (int i = 0; i + length < n; i++) {
                int j = i + length;
                cost[i][j] = Long.MAX_VALUE;
                for (int k = i; k < j; k++) {
                    long c = cost[i][k] + cost[k + 1][j] + all[i].size(0) * all[k].size(1) * all[j].size(1);
                    if (c < cost[i][j]) {
                        cost[i][j] = c;
                        cut[i][j] = k;
                    }
                }
            }
        }
        return cut;
    }

    /** The powers of each number from 0 on, as rows. */
    public static TensorImpl vander(TensorImpl x, long many) {
        long[] shape = Arrays.copyOf(x.shape(), x.rank() + 1);
        shape[x.rank()] = many - 1;
        try (Temps t = new Temps()) {
            TensorImpl column = t.own(Views.unsqueeze(x, -1));
            TensorImpl repeated = t.own(Views.expand(column, shape));
            TensorImpl powers = t.own(Scans.cumprod(repeated, -1));
            long[] ones = shape.clone();
            ones[x.rank()] = 1;
            TensorImpl one = t.own(Factories.full(x.device(), x.dtype(), 1, ones));
            return Joins.cat(-1, one, powers);
        }
    }
}
