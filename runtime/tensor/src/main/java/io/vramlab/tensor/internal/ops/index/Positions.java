package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.Operand;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Elements by their positions in row-major order: take and put. */
public final class Positions {

    private Positions() {
    }

    /** Elements by their row-major positions. */
    public static TensorImpl take(TensorImpl a, TensorImpl index) {
        Scatters.requireIndex("take", index);
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), index.shape());
        try (Temps t = new Temps()) {
            t.own(out);
            if (out.count() > 0) {
                TensorImpl flat = t.own(rowMajor(a));
                a.driver().kernels().indexGet(out.operand(), still(flat, index.shape()),
                        new Operand[]{index.operand()}, new long[]{a.count()}, new long[]{1},
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

    private static Operand still(TensorImpl flat, long[] shape) {
        return new Operand(flat.operand().address(), flat.dtype(), shape, new long[shape.length]);
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
                        given.operand(), new Operand[]{index.operand()}, new long[]{a.count()},
                        new long[]{1}, a.stream());
            }
        }
    }

    public static void put_(TensorImpl a, TensorImpl index, TensorImpl source, boolean accumulate) {
        Scatters.requireIndex("put", index);
        Scatters.requireSame("put_", a, source);
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
            TensorImpl out = t.own(Scatters.copy(g));
            putAt(out, index, zeros, false);
            return t.give(out);
        }
    }

    public static TensorImpl put(TensorImpl a, TensorImpl index, TensorImpl source, boolean accumulate) {
        return Scatters.outOfPlace(a, source, out -> put_(out, index, source, accumulate),
                () -> putNode(a, index, source, accumulate));
    }
}
