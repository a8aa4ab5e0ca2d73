package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Creation;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Products beyond those of two matrices: added to something, of vectors, of many. */
public final class Products {

    private Products() {
    }

    private static TensorImpl scaled(TensorImpl a, double factor) {
        if (factor == 1) {
            return a.retain();
        }
        return Elementwise.mul(a, factor, false);
    }

    private static TensorImpl scaledResult(TensorImpl a, double factor) {
        if (factor == 1) {
            return a;
        }
        try {
            return Elementwise.mul(a, factor, false);
        } finally {
            a.release();
        }
    }

    /** beta c + alpha a b, outside the graph, of [… m, k] and [… k, n]. */
    private static TensorImpl multiply(TensorImpl c, TensorImpl a, TensorImpl b, long[] shape, double beta,
            double alpha,
            boolean lt) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            if (beta != 0) {
                Launch.into(ElementOp.COPY, Launch.NONE, out, c);
            }
            if (out.count() > 0) {
                TensorImpl left = MatrixOps.readable(t, a);
                TensorImpl right = MatrixOps.readable(t, b);
                Workspaces.beforeProduct(out, lt);
                out.driver().kernels().matmul(out.operand(), left.operand(), right.operand(), alpha, beta,
                        out.stream());
            }
            return t.give(out);
        }
    }

    private static void fits(String what, TensorImpl c, long[] shape) {
        boolean fits;
        try {
            fits = Arrays.equals(Shape.broadcast(c.shape(), shape, what), shape);
        } catch (TensorException e) {
            fits = false;
        }
        if (!fits) {
            throw new TensorException(what + ": the input of shape " + Shape.text(c.shape())
                    + " cannot be expanded to the product's " + Shape.text(shape) + ".");
        }
    }

    public static TensorImpl addmm(TensorImpl c, TensorImpl a, TensorImpl b, double beta, double alpha) {
        if (beta == 1 && alpha == 1) {
            return MatrixOps.addmm(c, a, b);
        }
        MatrixOps.requireRank(a, 2, "addmm");
        MatrixOps.requireRank(b, 2, "addmm");
        MatrixOps.requireAlike(a, b, "addmm");
        if (a.shape()[1] != b.shape()[0]) {
            throw MatrixOps.refuse("mat1 and mat2 shapes cannot be multiplied", a, b);
        }
        long[] shape = {a.shape()[0], b.shape()[1]};
        fits("addmm", c, shape);
        TensorImpl out = multiply(c, a, b, shape, beta, alpha, MatrixOps.isLt(c, b));
        if (Graph.wanted(c, a, b)) {
            Node node = Graph.record("AddmmBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl left = n.wants(1)
                            ? t.own(scaledResult(MatrixOps.leftGrad(g, n.saved(1), n.layout(1)), alpha))
                            : null;
                    TensorImpl right = n.wants(2)
                            ? t.own(scaledResult(MatrixOps.rightGrad(g, n.saved(0), n.layout(2)), alpha))
                            : null;
                    TensorImpl self = n.wants(0) ? t.own(scaled(g, beta)) : null;
                    return t.give(self, left, right);
                }
            }, c, a, b);
            node.layouts(c, a, b);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(1), node, b));
        }
        return out;
    }

    private static void requireBatches(String what, TensorImpl a, TensorImpl b) {
        MatrixOps.requireRank(a, 3, what);
        MatrixOps.requireRank(b, 3, what);
        MatrixOps.requireAlike(a, b, what);
        if (a.shape()[0] != b.shape()[0] || a.shape()[2] != b.shape()[1]) {
            throw MatrixOps.refuse(what + ": batch1 and batch2 shapes cannot be multiplied", a, b);
        }
    }

    public static TensorImpl baddbmm(TensorImpl c, TensorImpl a, TensorImpl b, double beta, double alpha) {
        requireBatches("baddbmm", a, b);
        long[] shape = {a.shape()[0], a.shape()[1], b.shape()[2]};
        fits("baddbmm", c, shape);
        TensorImpl out = multiply(c, a, b, shape, beta, alpha, false);
        if (Graph.wanted(c, a, b)) {
            Node node = Graph.record("BaddbmmBackward0", out, (n, g) -> batches(n, g, g, beta, alpha), c, a, b);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(1), node, b));
        }
        return out;
    }

    private static TensorImpl[] batches(Node n, TensorImpl g, TensorImpl self, double beta, double alpha) {
        try (Temps t = new Temps(); Temps views = new Temps()) {
            TensorImpl left = n.wants(1)
                    ? t.own(scaledResult(MatrixOps.bmm(g, views.own(Views.transpose(n.saved(1), 1, 2))), alpha))
                    : null;
            TensorImpl right = n.wants(2)
                    ? t.own(scaledResult(MatrixOps.bmm(views.own(Views.transpose(n.saved(0), 1, 2)), g), alpha))
                    : null;
            return t.give(n.wants(0) ? t.own(scaled(self, beta)) : null, left, right);
        }
    }

    /** c plus the sum of the products of all pairs. */
    public static TensorImpl addbmm(TensorImpl c, TensorImpl a, TensorImpl b, double beta, double alpha) {
        requireBatches("addbmm", a, b);
        long[] shape = {a.shape()[1], b.shape()[2]};
        fits("addbmm", c, shape);
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            out = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            if (beta != 0) {
                Launch.into(ElementOp.COPY, Launch.NONE, out, c);
            }
            for (long i = 0; i < a.shape()[0] && out.count() > 0; i++) {
                TensorImpl left = t.own(Views.select(a, 0, i));
                TensorImpl right = t.own(Views.select(b, 0, i));
                Workspaces.beforeProduct(out, false);
                out.driver().kernels().matmul(out.operand(), left.operand(), right.operand(), alpha, i == 0 ? beta : 1,
                        out.stream());
            }
            t.give(out);
        }
        if (Graph.wanted(c, a, b)) {
            long many = a.shape()[0];
            Node node = Graph.record("AddbmmBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl row = t.own(Views.unsqueeze(g, 0));
                    TensorImpl wide = t.own(Views.expand(row, many, shape[0], shape[1]));
                    return batches(n, wide, g, beta, alpha);
                }
            }, c, a, b);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(1), node, b));
        }
        return out;
    }

    /** beta c + alpha a v, for a matrix and a vector. */
    public static TensorImpl addmv(TensorImpl c, TensorImpl a, TensorImpl v, double beta, double alpha) {
        MatrixOps.requireRank(a, 2, "addmv");
        MatrixOps.requireRank(v, 1, "addmv");
        if (a.shape()[1] != v.shape()[0]) {
            throw MatrixOps.refuse("addmv: shapes cannot be multiplied", a, v);
        }
        long[] shape = {a.shape()[0]};
        fits("addmv", c, shape);
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl column = t.own(Views.unsqueeze(v, 1));
            TensorImpl input = t.own(Views.unsqueeze(t.own(Views.expand(c, shape)), 1));
            TensorImpl product = t.own(multiply(input, a, column, new long[]{shape[0], 1}, beta, alpha, false));
            out = product.alias(shape, new long[]{1}, 0);
        }
        if (Graph.wanted(c, a, v)) {
            Node node = Graph.record("AddmvBackward0", out, (n, g) -> {
                try (Temps t = new Temps(); Temps views = new Temps()) {
                    TensorImpl matrix = n.wants(1)
                            ? t.own(scaledResult(Elementwise.mul(views.own(Views.unsqueeze(g, 1)),
                                    views.own(Views.unsqueeze(n.saved(1), 0))), alpha))
                            : null;
                    TensorImpl vector = n.wants(2)
                            ? t.own(scaledResult(MatrixOps.mv(views.own(Views.t(n.saved(0))), g), alpha))
                            : null;
                    return t.give(n.wants(0) ? t.own(scaled(g, beta)) : null, matrix, vector);
                }
            }, c, a, v);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(1), node, v));
        }
        return out;
    }

    /** beta c + alpha times the outer product of two vectors. */
    public static TensorImpl addr(TensorImpl c, TensorImpl x, TensorImpl y, double beta, double alpha) {
        MatrixOps.requireRank(x, 1, "addr");
        MatrixOps.requireRank(y, 1, "addr");
        long[] shape = {x.shape()[0], y.shape()[0]};
        fits("addr", c, shape);
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl column = t.own(Views.unsqueeze(x, 1));
            TensorImpl row = t.own(Views.unsqueeze(y, 0));
            out = t.own(TensorImpl.empty(c.device(), c.dtype(), shape));
            Launch.into(ElementOp.MUL, Launch.NONE, out, column, row);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{alpha}, out, out);
            Launch.into(ElementOp.ADD, new double[]{beta}, out, out, c);
            t.give(out);
        }
        if (Graph.wanted(c, x, y)) {
            Node node = Graph.record("AddrBackward0", out, (n, g) -> {
                try (Temps t = new Temps(); Temps views = new Temps()) {
                    TensorImpl first = n.wants(1)
                            ? t.own(scaledResult(MatrixOps.mv(g, n.saved(1)), alpha))
                            : null;
                    TensorImpl second = n.wants(2)
                            ? t.own(scaledResult(MatrixOps.mv(views.own(Views.t(g)), n.saved(0)), alpha))
                            : null;
                    return t.give(n.wants(0) ? t.own(scaled(g, beta)) : null, first, second);
                }
            }, c, x, y);
            node.save(Graph.inputIf(node.wants(2), node, x), Graph.inputIf(node.wants(1), node, y));
        }
        return out;
    }

    public static TensorImpl outer(TensorImpl x, TensorImpl y) {
        MatrixOps.requireRank(x, 1, "outer");
        MatrixOps.requireRank(y, 1, "outer");
        try (Temps t = new Temps()) {
            TensorImpl column = t.own(Views.view(x, x.count(), 1));
            return Elementwise.mul(column, y);
        }
    }

    /** Sum of the products of two vectors' elements. */
    public static TensorImpl dot(TensorImpl x, TensorImpl y) {
        MatrixOps.requireRank(x, 1, "dot");
        MatrixOps.requireRank(y, 1, "dot");
        if (x.count() != y.count()) {
            throw MatrixOps.refuse("inconsistent tensor size: dot", x, y);
        }
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl row = t.own(Views.unsqueeze(x, 0));
            TensorImpl column = t.own(Views.unsqueeze(y, 1));
            TensorImpl product = t.own(multiply(null, row, column, new long[]{1, 1}, 0, 1, false));
            out = product.alias(Shape.SCALAR, Shape.SCALAR, 0);
        }
        if (Graph.wanted(x, y)) {
            Node node = Graph.record("DotBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl self = n.wants(0) ? t.own(Elementwise.mul(g, n.saved(1))) : null;
                    TensorImpl other = n.wants(1) ? t.own(Elementwise.mul(g, n.saved(0))) : null;
                    return t.give(self, other);
                }
            }, x, y);
            node.save(Graph.inputIf(node.wants(1), node, x), Graph.inputIf(node.wants(0), node, y));
        }
        return out;
    }

    /** Sums of products over the last dimension of both. */
    public static TensorImpl inner(TensorImpl x, TensorImpl y) {
        if (x.rank() == 0 || y.rank() == 0) {
            return Elementwise.mul(x, y);
        }
        if (x.size(-1) != y.size(-1)) {
            throw MatrixOps.refuse("inner(): the last dimensions must match", x, y);
        }
        try (Temps t = new Temps()) {
            if (x.rank() == 1 && y.rank() == 1) {
                return dot(x, y);
            }
            TensorImpl left = t.own(Views.reshape(x, -1, x.size(-1)));
            TensorImpl right = t.own(Views.t(t.own(Views.reshape(y, -1, y.size(-1)))));
            TensorImpl product = t.own(MatrixOps.mm(left, right));
            long[] shape = Arrays.copyOf(x.shape(), x.rank() + y.rank() - 2);
            System.arraycopy(y.shape(), 0, shape, x.rank() - 1, y.rank() - 1);
            return Views.reshape(product, shape);
        }
    }

    /** Sum of the diagonal. */
    public static TensorImpl trace(TensorImpl a) {
        MatrixOps.requireRank(a, 2, "trace");
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            out = Sums.sum(t.own(Diagonals.diagonal(a, 0, 0, 1)), Reductions.ALL, false);
        }
        if (Graph.wanted(a)) {
            long[] was = a.shape();
            Graph.recordUnary("TraceBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was[0] * was[1]));
                    TensorImpl places = t.own(Factories.arange(g.device(), io.vramlab.device.DType.INT64, 0,
                            was[0] * was[1], was[1] + 1));
                    long steps = places.count();
                    TensorImpl row = t.own(grad.alias(new long[]{steps}, new long[]{was[1] + 1}, 0));
                    Launch.into(ElementOp.COPY, Launch.NONE, row, g);
                    return Views.view(grad, was);
                }
            });
        }
        return out;
    }

    /** The product of one matrix with itself, so many times; 0 gives the identity. */
    public static TensorImpl matrixPower(TensorImpl a, int times) {
        if (a.rank() < 2 || a.size(-1) != a.size(-2) || times < 0) {
            throw new TensorException("matrix_power to " + times + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": it takes square matrices and a power of 0 or more.");
        }
        try (Temps t = new Temps()) {
            if (times == 0) {
                TensorImpl one = t.own(Creation.eye(a.device(), a.dtype(), a.size(-1), a.size(-1)));
                return Copies.clone(t.own(Views.expand(one, a.shape())));
            }
            if (times == 1) {
                return Copies.clone(a);
            }
            if (times == 3) {
                return MatrixOps.matmul(t.own(MatrixOps.matmul(a, a)), a);
            }
            TensorImpl power = null;
            TensorImpl square = a;
            for (int rest = times; rest > 0; rest >>= 1) {
                if ((rest & 1) == 1) {
                    power = power == null ? square : t.own(MatrixOps.matmul(power, square));
                }
                if (rest > 1) {
                    square = t.own(MatrixOps.matmul(square, square));
                }
            }
            return power.retain();
        }
    }
}
