package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writing and adding by an index along one dimension: the scatter family. */
public final class Scatters {

    private Scatters() {
    }

    static void requireIndex(String what, TensorImpl index) {
        if (index.dtype() != DType.INT64) {
            throw new TensorException(what + "(): Expected dtype int64 for index, but got " + index.dtype()
                    + ": convert it with toLong().");
        }
    }

    static void requireSame(String what, TensorImpl a, TensorImpl source) {
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
    static void into(ScatterOp op, TensorImpl a, int d, TensorImpl index, TensorImpl source) {
        if (index.count() == 0) {
            return;
        }
        if (op == ScatterOp.ADD) {
            a.driver().kernels().scatterAdd(a.operand(), d, index.operand(), source.operand(), a.stream());
        } else {
            a.driver().kernels().scatter(op, a.operand(), d, index.operand(), source.operand(), 0, a.stream());
        }
    }

    static void number(TensorImpl a, int d, TensorImpl index, double value) {
        if (index.count() > 0) {
            a.driver().kernels().scatter(ScatterOp.SET, a.operand(), d, index.operand(), null, value, a.stream());
        }
    }

    static TensorImpl copy(TensorImpl a) {
        return Launch.unary(ElementOp.COPY, a, a.dtype());
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
    static TensorImpl outOfPlace(TensorImpl a, TensorImpl source,
            Consumer<TensorImpl> change,
            Supplier<Node> node) {
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
}
