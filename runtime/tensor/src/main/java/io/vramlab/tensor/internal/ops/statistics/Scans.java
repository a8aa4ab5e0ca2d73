package io.vramlab.tensor.internal.ops.statistics;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ScanOp;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.arrange.Arrangements;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.type.Shape;

/** Sums, products and extremes so far along a dimension. */
public final class Scans {

    private Scans() {
    }

    private static DType whole(DType dtype) {
        return dtype.isFloatingPoint() ? dtype : DType.INT64;
    }

    private static TensorImpl scan(ScanOp op, TensorImpl a, int dim, TensorImpl indices) {
        TensorImpl out = TensorImpl.empty(a.device(), indices == null ? whole(a.dtype()) : a.dtype(), a.shape());
        try (Temps t = new Temps()) {
            t.own(out);
            fill(op, out, a, dim, indices);
            return t.give(out);
        }
    }

    private static void fill(ScanOp op, TensorImpl out, TensorImpl a, int dim, TensorImpl indices) {
        if (a.count() == 0) {
            return;
        }
        Runnable kernel = () -> a.driver().kernels().scan(op, out.operand(),
                indices == null ? null : indices.operand(), a.operand(), dim, a.stream());
        boolean flat = a.rank() == 1 && (op == ScanOp.SUM || op == ScanOp.PROD);
        if (flat) {
            // one row alone is scanned by CUB
            Scratch.during(a, d -> SelectionScratch.scan(a.count(), out.dtype().bytes()), kernel);
        } else {
            kernel.run();
        }
    }

    public static TensorImpl cumsum(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank());
        TensorImpl out = scan(ScanOp.SUM, a, d, null);
        if (Graph.wanted(a)) {
            Graph.recordUnary("CumsumBackward0", out, a, (n, g) -> reversedSum(g, d));
        }
        return out;
    }

    /** Sums from the end: flipped, summed, flipped. */
    static TensorImpl reversedSum(TensorImpl g, int dim) {
        if (g.count() <= 1 || g.rank() == 0 || g.shape()[dim] == 1) {
            return g.retain();
        }
        try (Temps t = new Temps()) {
            TensorImpl flipped = t.own(Arrangements.flip(g, dim));
            TensorImpl sums = t.own(cumsum(flipped, dim));
            return Arrangements.flip(sums, dim);
        }
    }

    /** Where no element is zero, the reversed sum of what came times result, by the input: PyTorch's cumprod_backward. */
    public static TensorImpl cumprod(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank());
        TensorImpl out = scan(ScanOp.PROD, a, d, null);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("CumprodBackward0", out, a, (n, g) -> {
                TensorImpl x = n.saved(0);
                try (Temps t = new Temps()) {
                    TensorImpl weighted = t.own(Elementwise.mul(n.saved(1), g));
                    TensorImpl zero = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, x, 0));
                    try (Temps u = new Temps()) {
                        TensorImpl any = u.own(Reductions.truth(zero, false, Reductions.ALL, false));
                        if (any.driver().holdsValues() && Elements.truth(Elements.only(any))) {
                            return withZeros(n.saved(0), g, d);
                        }
                    }
                    TensorImpl sums = t.own(reversedSum(weighted, d));
                    return Elementwise.div(sums, x);
                }
            });
            node.save(Graph.input(node, a), Graph.result(node, out));
        }
        return out;
    }

    /** Element by element, as PyTorch does where a zero makes the quotient useless: products of all but one, each summed. */
    private static TensorImpl withZeros(TensorImpl x, TensorImpl g, int dim) {
        long size = x.shape()[dim];
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(Factories.zerosLike(x));
            for (long k = 0; k < size; k++) {
                try (Temps u = new Temps()) {
                    TensorImpl others = u.own(Copies.clone(x));
                    TensorImpl at = u.own(Views.select(others, dim, k));
                    Launch.into(ElementOp.FILL, new double[]{1}, at);
                    TensorImpl products = u.own(scan(ScanOp.PROD, others, dim, null));
                    TensorImpl weighted = u.own(Elementwise.mul(products, g));
                    TensorImpl later = u.own(Views.narrow(weighted, dim, k, size - k));
                    TensorImpl sum = u.own(Sums.sum(later, new int[]{dim}, false));
                    TensorImpl place = u.own(Views.select(grad, dim, k));
                    Launch.into(ElementOp.COPY, Launch.NONE, place, sum);
                }
            }
            return t.give(grad);
        }
    }

    /** Largest or smallest so far, and where it was. */
    public static TensorImpl[] extreme(TensorImpl a, int dim, boolean largest) {
        int d = Shape.dim(dim, a.rank());
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, a.shape()));
            fill(largest ? ScanOp.MAX : ScanOp.MIN, out, a, d, indices);
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary(largest ? "CummaxBackward0" : "CumminBackward0", out, a, (n, g) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl grad = u.own(Factories.full(g.device(), g.dtype(), 0, g.shape()));
                        g.driver().kernels().scatterAdd(grad.operand(), d, n.saved(0).operand(), g.operand(),
                                g.stream());
                        return u.give(grad);
                    }
                });
                node.save(Graph.input(node, indices));
            }
            return t.give(out, indices);
        }
    }

    /** Logarithm of the sum of exponentials so far; the gradient by the signs of what comes in, as PyTorch's. */
    public static TensorImpl logcumsumexp(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank());
        TensorImpl out = scan(ScanOp.LOG_SUM_EXP, a, d, null);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("LogcumsumexpBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl lowest = t.own(Factories.full(g.device(), g.dtype(), Double.NEGATIVE_INFINITY));
                    TensorImpl log;
                    try (Temps u = new Temps()) {
                        log = t.own(Pointwise.log(u.own(Pointwise.abs(g))));
                    }
                    return signed(t, n, g, log, lowest, d);
                }
            });
            node.save(Graph.input(node, a), Graph.result(node, out));
        }
        return out;
    }

    private static TensorImpl signed(Temps t, Node n, TensorImpl g, TensorImpl log, TensorImpl lowest, int d) {
        TensorImpl positive = t.own(part(g, log, lowest, ElementOp.GT_SCALAR));
        TensorImpl negative = t.own(part(g, log, lowest, ElementOp.LT_SCALAR));
        TensorImpl up = t.own(carried(n, positive, d));
        TensorImpl down = t.own(carried(n, negative, d));
        return Elementwise.sub(up, down, 1);
    }

    private static TensorImpl part(TensorImpl g, TensorImpl log, TensorImpl lowest, ElementOp side) {
        try (Temps t = new Temps()) {
            return Selection.where(t.own(Elementwise.compare(side, g, 0)), log, lowest);
        }
    }

    private static TensorImpl carried(Node n, TensorImpl log, int d) {
        try (Temps t = new Temps()) {
            TensorImpl less = t.own(Elementwise.sub(log, n.saved(1), 1));
            TensorImpl back;
            try (Temps u = new Temps()) {
                TensorImpl flipped = u.own(Arrangements.flip(less, d));
                TensorImpl sums = u.own(scan(ScanOp.LOG_SUM_EXP, flipped, d, null));
                back = t.own(Arrangements.flip(sums, d));
            }
            TensorImpl moved = t.own(Elementwise.add(back, n.saved(0), 1));
            return Pointwise.exp(moved);
        }
    }
}
