package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Writing, adding and taking by an index along one dimension: the scatter, gather and index families. */
public final class Scatters {

    private Scatters() {
    }

    private static void requireIndex(String what, TensorImpl index) {
        if (index.dtype() != DType.INT64) {
            throw new TensorException(what + "(): Expected dtype int64 for index, but got " + index.dtype()
                    + ": convert it with toLong().");
        }
    }

    private static void requireSame(String what, TensorImpl a, TensorImpl source) {
        if (a.dtype() != source.dtype()) {
            throw new TensorException(
                    what + "(): Expected self.dtype to be equal to src.dtype, but they are " + a.dtype()
                            + " and " + source.dtype() + ": convert one with to(...).");
        }
        Launch.device(what, a, source);
    }

    private static void fits(String what, TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        boolean fits = index.rank() == a.rank() && (source == null || source.rank() == index.rank());
        for (int i = 0; fits && i < a.rank(); i++) {
            fits = (i == d || index.shape()[i] <= a.shape()[i])
                    && (source == null || index.shape()[i] <= source.shape()[i]);
        }
        if (!fits && index.count() > 0) {
            throw new TensorException("Expected index " + Shape.text(index.shape()) + " to be no larger than self "
                    + Shape.text(a.shape()) + " apart from dimension " + d
                    + (source == null ? "" : " and to be no larger in size than src " + Shape.text(source.shape()))
                    + " in "
                    + what + ".");
        }
    }

    /** {@code a[… index …] = op(…, source)} outside the graph. */
    private static void into(ScatterOp op, TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        if (index.count() == 0) {
            return;
        }
        if (op == ScatterOp.ADD) {
            a.driver().kernels().scatterAdd(a.operand(), d, index.operand(), source.operand(), a.stream());
        } else {
            a.driver().kernels().scatter(op, a.operand(), d, index.operand(), source.operand(), 0, a.stream());
        }
    }

    private static void number(TensorImpl a, int d, TensorImpl index, double value) {
        if (index.count() > 0) {
            a.driver().kernels().scatter(ScatterOp.SET, a.operand(), d, index.operand(), null, value, a.stream());
        }
    }

    private static TensorImpl copy(TensorImpl a) {
        return Launch.unary(io.vramlab.device.ElementOp.COPY, a, a.dtype());
    }

    /** scatter and scatter_, of a tensor: {@code self} is the copy or the tensor itself. */
    public static void scatter_(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        requireIndex("scatter", index);
        requireSame("scatter", a, source);
        fits("scatter", a, d, index, source);
        InPlace.change(a, source, () -> into(ScatterOp.SET, a, d, index, source),
                () -> scatterNode(a, d, index, source));
    }

    private static Node scatterNode(TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        Node node = Graph.unbound("ScatterBackward0", (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl self = n.wants(0) ? t.own(zeroed(g, d, n.saved(0))) : null;
                TensorImpl given = n.wants(1) ? t.own(Lookup.gather(g, d, n.saved(0))) : null;
                return t.give(self, given);
            }
        }, a, source);
        node.save(Graph.input(node, index));
        return node;
    }

    private static TensorImpl zeroed(TensorImpl g, int d, TensorImpl index) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(copy(g));
            number(out, d, index, 0);
            return t.give(out);
        }
    }

    public static TensorImpl scatter(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        return outOfPlace(a, source, out -> scatter_(out, d, index, source), () -> scatterNode(a, d, index, source));
    }

    /** A copy changed outside the graph, and tied to it by the node of the change. */
    private static TensorImpl outOfPlace(TensorImpl a, TensorImpl source,
            java.util.function.Consumer<TensorImpl> change,
            java.util.function.Supplier<Node> node) {
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            out = t.own(copy(a));
            change.accept(out);
            t.give(out);
        }
        if (source == null ? Graph.wanted(a) : Graph.wanted(a, source)) {
            Node made = node.get();
            made.addResult(out);
            out.gradFn(made, 0);
        }
        return out;
    }

    public static void scatter_(TensorImpl a, int dim, TensorImpl index, double value) {
        int d = Shape.dim(dim, a.rank());
        requireIndex("scatter", index);
        fits("scatter", a, d, index, null);
        InPlace.change(a, null, () -> number(a, d, index, value), () -> fillNode("ScatterBackward1", a, d, index));
    }

    private static Node fillNode(String name, TensorImpl a, int d, TensorImpl index) {
        Node node = Graph.unbound(name, (n, g) -> new TensorImpl[]{zeroed(g, d, n.saved(0))}, a);
        node.save(Graph.input(node, index));
        return node;
    }

    public static TensorImpl scatter(TensorImpl a, int dim, TensorImpl index, double value) {
        int d = Shape.dim(dim, a.rank());
        return outOfPlace(a, null, out -> scatter_(out, d, index, value),
                () -> fillNode("ScatterBackward1", a, d, index));
    }

    public static void scatterAdd_(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        requireIndex("scatter_add", index);
        requireSame("scatter_add", a, source);
        fits("scatter_add", a, d, index, source);
        InPlace.change(a, source, () -> into(ScatterOp.ADD, a, d, index, source), () -> addNode(a, d, index, source));
    }

    private static Node addNode(TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        Node node = Graph.unbound("ScatterAddBackward0", (n, g) -> {
            TensorImpl given = n.wants(1) ? Lookup.gather(g, d, n.saved(0)) : null;
            return new TensorImpl[]{n.wants(0) ? g.retain() : null, given};
        }, a, source);
        node.save(Graph.input(node, index));
        return node;
    }

    public static TensorImpl scatterAdd(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        return outOfPlace(a, source, out -> scatterAdd_(out, d, index, source), () -> addNode(a, d, index, source));
    }

    // ---- whole slices ----

    /** The one-dimensional index of slices in a tensor's shape, seen everywhere in each slice. */
    private static TensorImpl spread(Temps t, TensorImpl index, long[] shape, int d) {
        long[] strides = new long[shape.length];
        if (shape.length > 0) {
            strides[d] = index.rank() == 0 ? 0 : index.strides()[0];
        }
        long[] sizes = shape.clone();
        if (shape.length > 0) {
            sizes[d] = index.count();
        }
        return t.own(index.alias(sizes, strides, index.offset()));
    }

    private static void requireVector(String what, TensorImpl index) {
        requireIndex(what, index);
        if (index.rank() > 1) {
            throw new TensorException(what + "(): Index is supposed to be a vector, but it has shape "
                    + Shape.text(index.shape()) + ".");
        }
    }

    public static TensorImpl indexSelect(TensorImpl a, int dim, TensorImpl index) {
        int d = Shape.dim(dim, a.rank());
        requireVector("index_select", index);
        long[] shape = a.shape().clone();
        if (shape.length > 0) {
            shape[d] = index.count();
        }
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), shape);
        try (Temps t = new Temps()) {
            t.own(out);
            if (out.count() > 0) {
                TensorImpl seen = spread(t, index, shape, d);
                a.driver().kernels().gather(out.operand(), a.operand(), d, seen.operand(), a.stream());
            }
            t.give(out);
        }
        if (Graph.wanted(a)) {
            long[] was = a.shape();
            Node node = Graph.recordUnary("IndexSelectBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was));
                    into(ScatterOp.ADD, grad, d, spread(t, n.saved(0), g.shape(), d), g);
                    if (Graph.wanted(g)) {
                        Node made = Graph.recordUnary("IndexAddBackward0", grad, g,
                                (m, second) -> indexSelect(second, d, m.saved(0))).differentiable();
                        made.save(Graph.input(made, n.saved(0)));
                    }
                    return t.give(grad);
                }
            });
            node.save(Graph.input(node, index));
        }
        return out;
    }

    public static void indexAdd_(TensorImpl a, int dim, TensorImpl index, TensorImpl source, double alpha) {
        int d = Shape.dim(dim, a.rank());
        requireVector("index_add", index);
        requireSame("index_add_", a, source);
        InPlace.change(a, source, () -> {
            try (Temps t = new Temps()) {
                TensorImpl given = alpha == 1
                        ? source
                        : t.own(Launch.unary(io.vramlab.device.ElementOp.MUL_SCALAR, source,
                                source.dtype(), alpha));
                into(ScatterOp.ADD, a, d, spread(t, index, source.shape(), d), given);
            }
        }, () -> indexAddNode(a, d, index, source, alpha));
    }

    private static Node indexAddNode(TensorImpl a, int d, TensorImpl index, TensorImpl source, double alpha) {
        Node node = Graph.unbound("IndexAddBackward0", (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl given = null;
                if (n.wants(1)) {
                    TensorImpl rows = indexSelect(g, d, n.saved(0));
                    given = t.own(alpha == 1 ? rows : Elementwise.mul(t.own(rows), alpha, false));
                }
                return new TensorImpl[]{n.wants(0) ? g.retain() : null, t.give(given)};
            }
        }, a, source);
        // PyTorch keeps the source too, for its shape
        node.save(Graph.input(node, index), Graph.inputIf(source.requiresGrad(), node, source));
        return node;
    }

    public static TensorImpl indexAdd(TensorImpl a, int dim, TensorImpl index, TensorImpl source, double alpha) {
        int d = Shape.dim(dim, a.rank());
        return outOfPlace(a, source, out -> indexAdd_(out, d, index, source, alpha),
                () -> indexAddNode(a, d, index, source, alpha));
    }

    public static void indexCopy_(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        requireVector("index_copy", index);
        requireSame("index_copy_", a, source);
        InPlace.change(a, source, () -> {
            try (Temps t = new Temps()) {
                into(ScatterOp.SET, a, d, spread(t, index, source.shape(), d), source);
            }
        }, () -> indexCopyNode(a, d, index, source));
    }

    private static Node indexCopyNode(TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        Node node = Graph.unbound("IndexCopyBackward0", (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl self = n.wants(0) ? t.own(filled(g, d, n.saved(0))) : null;
                TensorImpl given = n.wants(1) ? t.own(indexSelect(g, d, n.saved(0))) : null;
                return t.give(self, given);
            }
        }, a, source);
        // PyTorch keeps the source too, whose shape its formula asks for
        node.save(Graph.input(node, index), Graph.inputIf(node.wants(1), node, source));
        return node;
    }

    public static TensorImpl indexCopy(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        return outOfPlace(a, source, out -> indexCopy_(out, d, index, source),
                () -> indexCopyNode(a, d, index, source));
    }

    private static TensorImpl filled(TensorImpl g, int d, TensorImpl index) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(copy(g));
            fillSlices(t, out, d, index, 0);
            return t.give(out);
        }
    }

    private static void fillSlices(Temps t, TensorImpl a, int d, TensorImpl index, double value) {
        number(a, d, spread(t, index, a.shape(), d), value);
    }

    public static void indexFill_(TensorImpl a, int dim, TensorImpl index, double value) {
        int d = Shape.dim(dim, a.rank());
        requireVector("index_fill", index);
        InPlace.change(a, null, () -> {
            try (Temps t = new Temps()) {
                fillSlices(t, a, d, index, value);
            }
        }, () -> indexFillNode(a, d, index));
    }

    private static Node indexFillNode(TensorImpl a, int d, TensorImpl index) {
        Node node = Graph.unbound("IndexFillBackward0", (n, g) -> new TensorImpl[]{filled(g, d, n.saved(0))}, a);
        node.save(Graph.input(node, index));
        return node;
    }

    public static TensorImpl indexFill(TensorImpl a, int dim, TensorImpl index, double value) {
        int d = Shape.dim(dim, a.rank());
        return outOfPlace(a, null, out -> indexFill_(out, d, index, value), () -> indexFillNode(a, d, index));
    }

    // ---- by positions in row-major order ----

    /** Elements by their row-major positions. */
    public static TensorImpl take(TensorImpl a, TensorImpl index) {
        requireIndex("take", index);
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), index.shape());
        try (Temps t = new Temps()) {
            t.own(out);
            if (out.count() > 0) {
                TensorImpl flat = t.own(rowMajor(a));
                a.driver().kernels().indexGet(out.operand(), still(flat, index.shape()),
                        new io.vramlab.device.Operand[]{index.operand()}, new long[]{a.count()}, new long[]{1},
                        a.stream());
            }
            t.give(out);
        }
        if (Graph.wanted(a)) {
            long[] was = a.shape();
            Node node = Graph.recordUnary("TakeBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was));
                    putAt(grad, n.saved(0), g, true);
                    return t.give(grad);
                }
            });
            node.save(Graph.input(node, index), Graph.input(node, a));
        }
        return out;
    }

    private static io.vramlab.device.Operand still(TensorImpl flat, long[] shape) {
        return new io.vramlab.device.Operand(flat.operand().address(), flat.dtype(), shape, new long[shape.length]);
    }

    private static TensorImpl rowMajor(TensorImpl a) {
        try (GradMode.State off = GradMode.enter(false)) {
            return Copies.contiguous(a);
        }
    }

    private static void putAt(TensorImpl a, TensorImpl index, TensorImpl source, boolean accumulate) {
        if (!a.isContiguous()) {
            throw new TensorException("put was asked of a tensor of shape " + Shape.text(a.shape()) + " and strides "
                    + Shape.text(a.strides()) + ": make it contiguous first, with contiguous().");
        }
        if (index.count() != source.count()) {
            throw new TensorException(
                    "put_(): Expected source and index to have the same number of elements, but they have "
                            + source.count() + " and " + index.count() + ".");
        }
        try (Temps t = new Temps()) {
            TensorImpl given = t.own(Views.reshape(source, index.shape()));
            if (index.count() > 0) {
                a.driver().kernels().indexPut(accumulate ? ScatterOp.ADD : ScatterOp.SET, still(a, index.shape()),
                        given.operand(), new io.vramlab.device.Operand[]{index.operand()}, new long[]{a.count()},
                        new long[]{1}, a.stream());
            }
        }
    }

    public static void put_(TensorImpl a, TensorImpl index, TensorImpl source, boolean accumulate) {
        requireIndex("put", index);
        requireSame("put_", a, source);
        InPlace.change(a, source, () -> putAt(a, index, source, accumulate),
                () -> putNode(a, index, source, accumulate));
    }

    private static Node putNode(TensorImpl a, TensorImpl index, TensorImpl source, boolean accumulate) {
        long[] shape = source.shape();
        Node node = Graph.unbound("PutBackward0", (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl self = null;
                if (n.wants(0)) {
                    self = t.own(accumulate ? g.retain() : emptied(g, n.saved(0), shape));
                }
                TensorImpl given = null;
                if (n.wants(1)) {
                    TensorImpl taken = t.own(take(g, n.saved(0)));
                    given = t.own(Views.reshape(taken, shape));
                }
                return t.give(self, given);
            }
        }, a, source);
        node.save(Graph.input(node, index), Graph.input(node, source));
        return node;
    }

    private static TensorImpl emptied(TensorImpl g, TensorImpl index, long[] shape) {
        try (Temps t = new Temps()) {
            TensorImpl zeros = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
            TensorImpl out = t.own(copy(g));
            putAt(out, index, zeros, false);
            return t.give(out);
        }
    }

    public static TensorImpl put(TensorImpl a, TensorImpl index, TensorImpl source, boolean accumulate) {
        return outOfPlace(a, source, out -> put_(out, index, source, accumulate),
                () -> putNode(a, index, source, accumulate));
    }

    /** gather by an index that is broadcast against the tensor. */
    public static TensorImpl takeAlongDim(TensorImpl a, TensorImpl index, int dim) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() != index.rank()) {
            throw new TensorException(
                    "torch.take_along_dim(): input and indices should have the same number of dimensions, "
                            + "but got " + a.rank() + " dimensions for input, and " + index.rank()
                            + " dimensions for indices.");
        }
        long[] shape = index.shape().clone();
        long[] wide = a.shape().clone();
        for (int i = 0; i < shape.length; i++) {
            if (i != d) {
                shape[i] = wide[i] = Shape.broadcast(new long[]{shape[i]}, new long[]{wide[i]}, "take_along_dim")[0];
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl all = t.own(Arrays.equals(shape, index.shape())
                    ? index.retain()
                    : Copies.fill(TensorImpl.empty(index.device(), index.dtype(), shape),
                            t.own(index.alias(shape, index.expandedStrides(shape), index.offset()))));
            TensorImpl from = t.own(Views.expand(a, wide));
            return Lookup.gather(from, d, all);
        }
    }
}
