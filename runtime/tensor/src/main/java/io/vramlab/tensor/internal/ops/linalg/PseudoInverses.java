package io.vramlab.tensor.internal.ops.linalg;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.ReducedDims;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;

/** What counts the singular values that are not next to nothing: ranks and pseudoinverses, and the ratio of the outermost ones. */
public final class PseudoInverses {

    private PseudoInverses() {
    }

    /** Absolute and relative bounds below which a singular value is nothing; NaN for PyTorch's relative one, the larger side times eps. */
    private static TensorImpl[] bounds(Temps t, TensorImpl a, double absolute, double relative) {
        boolean given = !Double.isNaN(relative);
        double share = given
                ? relative
                : absolute > 0 ? 0 : a.dtype().eps() * Math.max(Matrices.rows(a), Matrices.columns(a));
        return new TensorImpl[]{t.own(Factories.full(a.device(), DType.FLOAT64, absolute)),
                t.own(Factories.full(a.device(), DType.FLOAT64, share))};
    }

    private static TensorImpl largest(Temps t, TensorImpl s, TensorImpl[] bounds, boolean sorted) {
        TensorImpl most = t.own(sorted
                ? Views.narrow(s, -1, 0, 1)
                : Extremes.extreme(s, true, new int[]{-1}, true));
        try (Temps u = new Temps()) {
            TensorImpl scaled = u.own(Elementwise.mul(u.own(Views.unsqueeze(bounds[1], -1)), most));
            return Elementwise.maximum(u.own(Views.unsqueeze(bounds[0], -1)), scaled);
        }
    }

    /** How many singular values count, of each matrix. */
    public static TensorImpl rank(TensorImpl a, double absolute, double relative, boolean symmetric) {
        Matrices.requireMatrices("linalg.matrix_rank", a);
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Matrices.empty(a, DType.INT64, Matrices.batch(a)));
            TensorImpl[] bounds = bounds(t, a, absolute, relative);
            TensorImpl s = t.own(symmetric ? Eigens.values(a, false) : Svds.values(a));
            TensorImpl size = symmetric ? t.own(Pointwise.abs(s)) : s;
            if (symmetric) {
                t.free(s);
            }
            TensorImpl bound = t.own(largest(t, size, bounds, !symmetric));
            try (Temps u = new Temps()) {
                TensorImpl counts = u.own(Elementwise.compare(ElementOp.GT, size, bound));
                TensorImpl whole = u.own(Copies.to(counts, a.device(), DType.INT64));
                boolean[] last = ReducedDims.mask(whole, new int[]{-1});
                long[] ones = ReducedDims.resultShape(whole, last, true);
                Operand into = new Operand(out.operand().address(), DType.INT64, ones, Shape.contiguous(ones));
                Reductions.withScratch(whole, last, Long.BYTES,
                        () -> whole.driver().kernels().reduce(ReduceOp.SUM, into,
                                whole.operand(), whole.stream()));
            }
            return t.give(out);
        }
    }

    /** Moore's and Penrose's inverse. */
    public static TensorImpl of(TensorImpl a, double absolute, double relative, boolean symmetric) {
        Matrices.requireMatrices("linalg.pinv", a);
        try (Temps t = new Temps()) {
            TensorImpl out;
            try (GradMode.State off = GradMode.enter(false)) {
                out = t.own(computed(a, absolute, relative, symmetric));
            }
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("LinalgPinvBackward0", out, a,
                        (k, g) -> backward(g, k.saved(0), k.saved(1)));
                node.save(Graph.result(node, out), Graph.input(node, a));
            }
            return t.give(out);
        }
    }

    private static TensorImpl computed(TensorImpl a, double absolute, double relative, boolean symmetric) {
        try (Temps t = new Temps()) {
            TensorImpl[] bounds = bounds(t, a, absolute, relative);
            if (symmetric) {
                TensorImpl[] found = Eigens.symmetric(a, false);
                TensorImpl vectors = t.own(found[1]);
                TensorImpl values = t.own(found[0]);
                TensorImpl size = t.own(Pointwise.abs(values));
                TensorImpl few = inverted(t, values, size, bounds, false);
                TensorImpl scaled = t.own(Elementwise.mul(vectors, t.own(Views.unsqueeze(few, -2))));
                TensorImpl out = MatrixOps.matmul(scaled, t.own(Triangles.turned(vectors)));
                t.free(scaled);
                return out;
            }
            TensorImpl[] found = Svds.of(a, false);
            TensorImpl right = t.own(found[2]);
            TensorImpl values = t.own(found[1]);
            TensorImpl left = t.own(found[0]);
            TensorImpl few = inverted(t, values, values, bounds, true);
            TensorImpl scaled = t
                    .own(Elementwise.mul(t.own(Triangles.turned(right)), t.own(Views.unsqueeze(few, -2))));
            TensorImpl out = MatrixOps.matmul(scaled, t.own(Triangles.turned(left)));
            t.free(scaled);
            return out;
        }
    }

    /** One by each value that counts, 0 for the others. */
    private static TensorImpl inverted(Temps t, TensorImpl values, TensorImpl size, TensorImpl[] bounds,
            boolean sorted) {
        TensorImpl bound = t.own(largest(t, size, bounds, sorted));
        TensorImpl out;
        try (Temps u = new Temps()) {
            TensorImpl zero = u.own(Factories.full(values.device(), values.dtype(), 0));
            TensorImpl inverse = u.own(Pointwise.reciprocal(values));
            out = t.own(Selection.where(u.own(Elementwise.compare(ElementOp.GT, size, bound)), inverse, zero));
        }
        return out;
    }

    static TensorImpl backward(TensorImpl g, TensorImpl inverse, TensorImpl a) {
        try (Temps t = new Temps()) {
            TensorImpl gh = t.own(Triangles.turned(g));
            TensorImpl inverseH = t.own(Triangles.turned(inverse));
            if (Matrices.rows(a) <= Matrices.columns(a)) {
                TensorImpl k = t.own(MatrixOps.matmul(gh, inverse));
                TensorImpl kh = t.own(MatrixOps.matmul(k, inverseH));
                // C++ computes what is added last first
                TensorImpl projector = t.own(MatrixOps.matmul(inverseH, inverse));
                TensorImpl ka = t.own(MatrixOps.matmul(k, a));
                TensorImpl rest = t.own(Elementwise.sub(gh, ka, 1));
                TensorImpl last = t.own(MatrixOps.matmul(projector, rest));
                TensorImpl aInverse = t.own(MatrixOps.matmul(a, inverse));
                TensorImpl taken = t.own(MatrixOps.matmul(aInverse, kh));
                TensorImpl product = t.own(MatrixOps.matmul(inverse, k));
                TensorImpl minus = t.own(Pointwise.neg(product));
                TensorImpl first = t.own(Elementwise.add(t.own(Triangles.turned(minus)), kh, 1));
                TensorImpl less = t.own(Elementwise.sub(first, taken, 1));
                return Elementwise.add(less, last, 1);
            }
            TensorImpl k = t.own(MatrixOps.matmul(inverse, gh));
            TensorImpl hk = t.own(MatrixOps.matmul(inverseH, k));
            TensorImpl inner = t.own(MatrixOps.matmul(hk, inverse));
            TensorImpl last = t.own(MatrixOps.matmul(inner, a));
            TensorImpl ak = t.own(MatrixOps.matmul(a, k));
            TensorImpl rest = t.own(Elementwise.sub(gh, ak, 1));
            TensorImpl side = t.own(MatrixOps.matmul(rest, inverse));
            TensorImpl added = t.own(MatrixOps.matmul(side, inverseH));
            TensorImpl product = t.own(MatrixOps.matmul(k, inverse));
            TensorImpl minus = t.own(Pointwise.neg(product));
            TensorImpl first = t.own(Elementwise.add(t.own(Triangles.turned(minus)), added, 1));
            TensorImpl more = t.own(Elementwise.add(first, hk, 1));
            return Elementwise.sub(more, last, 1);
        }
    }

    /** The largest singular value by the smallest. */
    public static TensorImpl condition(TensorImpl a) {
        Matrices.requireMatrices("linalg.cond", a);
        try (Temps t = new Temps()) {
            TensorImpl s = t.own(Svds.values(a));
            TensorImpl most = t.own(Views.narrow(s, -1, 0, 1));
            TensorImpl least = t.own(Views.narrow(s, -1, s.size(-1) - 1, 1));
            return Views.squeeze(t.own(Elementwise.div(most, least)), -1);
        }
    }

    /** A norm of each matrix times that of its inverse. */
    public static TensorImpl condition(TensorImpl a, double order) {
        if (Math.abs(order) == 2) {
            Matrices.requireMatrices("linalg.cond", a);
            try (Temps t = new Temps()) {
                TensorImpl ratio = t.own(condition(a));
                return order > 0 ? t.give(ratio) : Pointwise.reciprocal(ratio);
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl[] inverse = Lus.inverseWithInfo(a);
            t.own(inverse[0]);
            t.own(inverse[1]);
            try (Temps u = new Temps()) {
                TensorImpl failed = u.own(Elementwise.compare(ElementOp.GT_SCALAR, inverse[1], 0));
                TensorImpl wide = u.own(Views.unsqueeze(u.own(Views.unsqueeze(failed, -1)), -1));
                InPlace.maskedFill(inverse[0], wide, Double.POSITIVE_INFINITY);
            }
            int[] last = {-2, -1};
            TensorImpl one = t.own(MatrixNorms.of(a, order, last, false));
            TensorImpl other = t.own(MatrixNorms.of(inverse[0], order, last, false));
            return Elementwise.mul(one, other);
        }
    }
}
