package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ElementOp;
import io.vramlab.footprint.CublasWorkspace;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.VendorLibraries;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * Products of matrices. What cuBLAS cannot read as it lies (a gradient that is one number seen everywhere, for instance)
 * is copied first, after the result is allocated, as PyTorch does.
 */
public final class MatrixOps {

    private MatrixOps() {
    }

    /** [m, k] times [k, n]. */
    public static TensorImpl mm(TensorImpl a, TensorImpl b) {
        requireRank(a, 2, "mm");
        requireRank(b, 2, "mm");
        if (a.shape()[1] != b.shape()[0]) {
            throw refuse("mat1 and mat2 shapes cannot be multiplied", a, b);
        }
        requireAlike(a, b, "mm");
        // in the order in which they are saved
        Graph.announceFactors(b, a);
        TensorImpl out = product(null, a, b, a.shape()[0], b.shape()[1]);
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("MmBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl right = n.wants(1) ? t.own(rightGrad(g, n.saved(1), n.layout(1))) : null;
                    TensorImpl left = n.wants(0) ? t.own(leftGrad(g, n.saved(0), n.layout(0))) : null;
                    return t.give(left, right);
                }
            }, a, b);
            node.layouts(a, b);
            // PyTorch lets mat2 go before self
            node.save(Graph.inputIf(node.wants(0), node, b), Graph.inputIf(node.wants(1), node, a));
        }
        return out;
    }

    /** bias + [m, k] times [k, n], the bias broadcast. */
    public static TensorImpl addmm(TensorImpl bias, TensorImpl a, TensorImpl b) {
        requireRank(a, 2, "addmm");
        requireRank(b, 2, "addmm");
        if (a.shape()[1] != b.shape()[0]) {
            throw refuse("mat1 and mat2 shapes cannot be multiplied", a, b);
        }
        requireAlike(a, b, "addmm");
        requireAlike(bias, b, "addmm");
        long[] shape = {a.shape()[0], b.shape()[1]};
        if (!Arrays.equals(Shape.broadcast(bias.shape(), shape, "addmm"), shape)) {
            throw refuse("addmm: the bias cannot be expanded to the product", bias, a);
        }
        Graph.announceFactors(a, b);
        TensorImpl out = product(bias, a, b, shape[0], shape[1]);
        if (Graph.wanted(bias, a, b)) {
            Node node = Graph.record("AddmmBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl left = n.wants(1) ? t.own(leftGrad(g, n.saved(1), n.layout(1))) : null;
                    TensorImpl right = n.wants(2) ? t.own(rightGrad(g, n.saved(0), n.layout(2))) : null;
                    TensorImpl self = n.wants(0) ? t.own(g.retain()) : null;
                    return t.give(self, left, right);
                }
            }, bias, a, b);
            node.layouts(bias, a, b);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(1), node, b));
        }
        return out;
    }

    /** Gradient of the left factor, in the left factor's own order of memory. */
    static TensorImpl leftGrad(TensorImpl g, TensorImpl right, Node.Layout left) {
        try (Temps t = new Temps()) {
            if (left.isColumnMajor()) {
                TensorImpl product = t.own(mm(right, t.own(Views.t(g))));
                return Views.t(product);
            }
            return mm(g, t.own(Views.t(right)));
        }
    }

    static TensorImpl rightGrad(TensorImpl g, TensorImpl left, Node.Layout right) {
        try (Temps t = new Temps()) {
            if (right.isColumnMajor()) {
                TensorImpl product = t.own(mm(t.own(Views.t(g)), left));
                return Views.t(product);
            }
            return mm(t.own(Views.t(left)), g);
        }
    }

    private static TensorImpl product(TensorImpl bias, TensorImpl a, TensorImpl b, long m, long n) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), m, n));
            boolean lt = isLt(bias, b);
            if (lt) {
                VendorLibraries.products(out); // which adds the bias itself
            }
            if (bias != null) {
                Launch.into(ElementOp.COPY, Launch.NONE, out, bias);
            }
            if (out.count() > 0) {
                multiply(t, out, a, b, bias == null ? 0 : 1, lt);
            }
            return t.give(out);
        }
    }

    static void multiply(Temps t, TensorImpl out, TensorImpl a, TensorImpl b, double beta, boolean lt) {
        TensorImpl left = readable(t, a);
        TensorImpl right = readable(t, b);
        Workspaces.beforeProduct(out, lt);
        out.driver().kernels().matmul(out.operand(), left.operand(), right.operand(), 1, beta, out.stream());
    }

    /** The matrix itself if cuBLAS can read it as it lies, else a contiguous copy. */
    static TensorImpl readable(Temps t, TensorImpl a) {
        int r = a.rank();
        long rows = a.shape()[r - 2];
        long columns = a.shape()[r - 1];
        long down = a.strides()[r - 2];
        long across = a.strides()[r - 1];
        boolean columnMajor = down == 1 && across >= Math.max(1, rows);
        boolean rowMajor = across == 1 && down >= Math.max(1, columns);
        boolean dense = r == 2 && a.isDense();
        return dense || columnMajor || rowMajor
                ? a
                : t.own(Copies.fill(TensorImpl.empty(a.device(), a.dtype(), a.shape()), a));
    }

    /** [b, m, k] times [b, k, n]. */
    public static TensorImpl bmm(TensorImpl a, TensorImpl b) {
        requireRank(a, 3, "bmm");
        requireRank(b, 3, "bmm");
        if (a.shape()[0] != b.shape()[0] || a.shape()[2] != b.shape()[1]) {
            throw refuse("bmm: batch1 and batch2 shapes cannot be multiplied", a, b);
        }
        requireAlike(a, b, "bmm");
        // in the order in which they are saved
        Graph.announceFactors(b, a);
        TensorImpl out;
        try (Temps t = new Temps()) {
            out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()[0], a.shape()[1], b.shape()[2]));
            if (out.count() > 0) {
                multiply(t, out, a, b, 0, false);
            }
            t.give(out);
        }
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("BmmBackward0", out, (n, g) -> {
                try (Temps t = new Temps(); Temps views = new Temps()) {
                    TensorImpl right = n.wants(1)
                            ? t.own(bmm(views.own(Views.transpose(n.saved(1), 1, 2)), g))
                            : null;
                    TensorImpl left = n.wants(0)
                            ? t.own(bmm(g, views.own(Views.transpose(n.saved(0), 1, 2))))
                            : null;
                    return t.give(left, right);
                }
            }, a, b);
            node.save(Graph.inputIf(node.wants(0), node, b), Graph.inputIf(node.wants(1), node, a));
        }
        return out;
    }

    /** The general product: vectors, matrices, and stacks of matrices with broadcast leading sizes. */
    public static TensorImpl matmul(TensorImpl a, TensorImpl b) {
        if (a.rank() == 0 || b.rank() == 0) {
            throw refuse("both arguments to matmul need to be at least 1D", a, b);
        }
        try (Temps t = new Temps()) {
            if (a.rank() == 1 && b.rank() == 1) {
                TensorImpl row = t.own(Views.unsqueeze(a, 0));
                TensorImpl column = t.own(Views.unsqueeze(b, 1));
                return Views.view(t.own(mm(row, column)), Shape.SCALAR);
            }
            if (a.rank() == 1 && b.rank() == 2) {
                return Views.squeeze(t.own(mm(t.own(Views.unsqueeze(a, 0)), b)), 0);
            }
            if (a.rank() == 1) {
                return Views.squeeze(t.own(matmul(t.own(Views.unsqueeze(a, 0)), b)), -2);
            }
            if (b.rank() == 1) {
                return a.rank() == 2 ? mv(a, b) : Views.squeeze(t.own(matmul(a, t.own(Views.unsqueeze(b, 1)))), -1);
            }
            if (a.rank() == 2 && b.rank() == 2) {
                return mm(a, b);
            }
            return b.rank() == 2 && folds(a, b) ? foldLeft(t, a, b) : stacked(t, a, b);
        }
    }

    /** [m, k] times [k]. */
    public static TensorImpl mv(TensorImpl a, TensorImpl b) {
        if (a.shape()[1] != b.shape()[0]) {
            throw refuse("mv: shapes cannot be multiplied", a, b);
        }
        requireAlike(a, b, "mv");
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl column = t.own(Views.unsqueeze(b, 1));
            out = Views.unsafeView(t.own(product(null, a, column, a.shape()[0], 1)), a.shape()[0]);
        }
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("MvBackward0", out, (n, g) -> {
                try (Temps t = new Temps(); Temps views = new Temps()) {
                    TensorImpl self = n.wants(0)
                            ? t.own(Elementwise.mul(views.own(Views.unsqueeze(g, 1)),
                                    views.own(Views.unsqueeze(n.saved(1), 0))))
                            : null;
                    TensorImpl vec = n.wants(1) ? t.own(mv(views.own(Views.t(n.saved(0))), g)) : null;
                    return t.give(self, vec);
                }
            }, a, b);
            node.save(Graph.inputIf(node.wants(1), node, a), Graph.inputIf(node.wants(0), node, b));
        }
        return out;
    }

    /**
     * Whether a stack of matrices times one matrix is computed as one large product (PyTorch's should_fold): always when
     * the matrix needs a gradient, which else would exist once per matrix of the stack, and otherwise when no copy is
     * needed for it.
     */
    private static boolean folds(TensorImpl a, TensorImpl b) {
        return b.saysRequiresGrad() || a.count() == 0
                || Strides.view(a.shape(), a.strides(), new long[]{a.count() / a.size(-1), a.size(-1)}) != null;
    }

    /** [… m, k] times [k, n] as one large product. */
    private static TensorImpl foldLeft(Temps t, TensorImpl a, TensorImpl b) {
        TensorImpl flat = t.own(Views.reshape(a, -1, a.size(-1)));
        TensorImpl product = t.own(mm(flat, b));
        long[] shape = a.shape().clone();
        shape[shape.length - 1] = b.shape()[1];
        return Views.unsafeView(product, shape);
    }

    private static TensorImpl stacked(Temps t, TensorImpl a, TensorImpl b) {
        if (a.size(-1) != b.size(-2)) {
            throw refuse("matmul: shapes cannot be multiplied", a, b);
        }
        long[] lead = Shape.broadcast(Arrays.copyOf(a.shape(), a.rank() - 2), Arrays.copyOf(b.shape(), b.rank() - 2),
                "matmul");
        TensorImpl left = batched(t, a, lead);
        TensorImpl right = batched(t, b, lead);
        TensorImpl product = t.own(bmm(left, right));
        long[] shape = Arrays.copyOf(lead, lead.length + 2);
        shape[lead.length] = a.size(-2);
        shape[lead.length + 1] = b.size(-1);
        return Views.unsafeView(product, shape);
    }

    private static TensorImpl batched(Temps t, TensorImpl a, long[] lead) {
        long[] shape = Arrays.copyOf(lead, lead.length + 2);
        shape[lead.length] = a.size(-2);
        shape[lead.length + 1] = a.size(-1);
        TensorImpl wide = Arrays.equals(shape, a.shape()) ? a : t.own(Views.expand(a, shape));
        return t.own(Views.reshape(wide, Shape.count(lead), a.size(-2), a.size(-1)));
    }

    /** x times the transpose of weight, plus bias (or null): what a Linear layer computes. */
    public static TensorImpl linear(TensorImpl x, TensorImpl weight, TensorImpl bias) {
        requireRank(weight, 2, "linear");
        if (x.rank() == 0 || x.size(-1) != weight.shape()[1]) {
            throw refuse("linear: the last size of the input must be the weight's second size", x, weight);
        }
        try (Temps t = new Temps()) {
            TensorImpl w = t.own(Views.t(weight));
            if (bias == null) {
                return matmul(x, w);
            }
            if (x.rank() == 2) {
                return addmm(bias, x, w);
            }
            if (x.isContiguous()) {
                TensorImpl flat = t.own(Views.view(x, -1, x.size(-1)));
                TensorImpl out = t.own(addmm(bias, flat, w));
                long[] shape = x.shape().clone();
                shape[shape.length - 1] = weight.shape()[0];
                // a view that may be seen: what is changed in place behind it goes back through it, as in PyTorch
                return Views.view(out, shape);
            }
            TensorImpl out = t.own(matmul(x, w));
            InPlace.add(out, bias, 1);
            return t.give(out);
        }
    }

    static void requireRank(TensorImpl a, int rank, String what) {
        if (a.rank() != rank) {
            throw new TensorException(what + " was asked of a tensor of shape " + Shape.text(a.shape()) + ": it takes "
                    + rank + " dimensions, this has " + a.rank() + ".");
        }
    }

    static void requireAlike(TensorImpl a, TensorImpl b, String what) {
        Launch.device(what, a, b);
        if (a.dtype() != b.dtype()) {
            throw new TensorException(what + " of dtypes " + a.dtype() + " and " + b.dtype()
                    + " was asked for: expected m1 and m2 to have the same dtype. Convert one with to(dtype).");
        }
        if (!a.dtype().isFloatingPoint()) {
            throw new TensorException(what + " of dtype " + a.dtype()
                    + " was asked for: matrix products are computed for floating point dtypes. Convert with to(FLOAT32).");
        }
    }

    static TensorException refuse(String what, TensorImpl a, TensorImpl b) {
        return new TensorException(what + " (" + Shape.text(a.shape()) + " and " + Shape.text(b.shape())
                + "): the inner sizes must be equal. Transpose or reshape one of them.");
    }

    static boolean isLt(TensorImpl bias, TensorImpl b) {
        return bias != null && CublasWorkspace.isLt(bias.shape(), bias.isContiguous(), b.shape());
    }
}
