package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.ElementOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Whole slices by a vector of their numbers along one dimension: index_select and what writes there. */
public final class Slices {

    private Slices() {
    }

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
        Scatters.requireIndex(what, index);
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
                    Scatters.into(ScatterOp.ADD, grad, d, spread(t, n.saved(0), g.shape(), d), g);
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
        Scatters.requireSame("index_add_", a, source);
        InPlace.change(a, source, () -> {
            try (Temps t = new Temps()) {
                TensorImpl given = alpha == 1
                        ? source
                        : t.own(Launch.unary(ElementOp.MUL_SCALAR, source,
                                source.dtype(), alpha));
                Scatters.into(ScatterOp.ADD, a, d, spread(t, index, source.shape(), d), given);
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
        return Scatters.outOfPlace(a, source, out -> indexAdd_(out, d, index, source, alpha),
                () -> indexAddNode(a, d, index, source, alpha));
    }

    public static void indexCopy_(TensorImpl a, int dim, TensorImpl index, TensorImpl source) {
        int d = Shape.dim(dim, a.rank());
        requireVector("index_copy", index);
        Scatters.requireSame("index_copy_", a, source);
        InPlace.change(a, source, () -> {
            try (Temps t = new Temps()) {
                Scatters.into(ScatterOp.SET, a, d, spread(t, index, source.shape(), d), source);
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
        return Scatters.outOfPlace(a, source, out -> indexCopy_(out, d, index, source),
                () -> indexCopyNode(a, d, index, source));
    }

    private static TensorImpl filled(TensorImpl g, int d, TensorImpl index) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Scatters.copy(g));
            fillSlices(t, out, d, index, 0);
            return t.give(out);
        }
    }

    private static void fillSlices(Temps t, TensorImpl a, int d, TensorImpl index, double value) {
        Scatters.number(a, d, spread(t, index, a.shape(), d), value);
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
        return Scatters.outOfPlace(a, null, out -> indexFill_(out, d, index, value), () -> indexFillNode(a, d, index));
    }
}
