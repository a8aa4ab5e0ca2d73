package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Elements where a mask is true, one after another. */
public final class MaskedElements {

    private MaskedElements() {
    }

    /** Those elements, flat; mask and tensor are broadcast. */
    public static TensorImpl select(TensorImpl a, TensorImpl mask) {
        requireMask("masked_select", mask);
        long[] shape = Shape.broadcast(a.shape(), mask.shape(), "masked_select");
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl from = t.own(Views.expand(a, shape));
            TensorImpl where = t.own(Views.expand(mask, shape));
            out = Indexing.index(from, where);
        }
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("MaskedSelectBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
                    fill(grad, n.saved(0), g);
                    return t.give(grad);
                }
            });
            node.save(Graph.input(node, mask));
        }
        return out;
    }

    private static void requireMask(String what, TensorImpl mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new TensorException(what + ": expected BoolTensor for mask, but it is " + mask.dtype()
                    + ": make one with a comparison, such as x.gt(0).");
        }
    }

    /** Elements of source to where the mask is true: numbered by a scan, whose memory is taken and given back. */
    private static void fill(TensorImpl a, TensorImpl mask, TensorImpl source) {
        if (a.count() == 0 || !a.driver().holdsValues()) {
            Scratch.pass(a, d -> SelectionScratch.numbering(a.count()));
            return;
        }
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl seen = t.own(Views.expand(mask, a.shape()));
            long[] places = NonZero.positions(seen);
            if (places.length > source.count()) {
                throw new TensorException(
                        "masked_scatter: expected self and source to have same dtypes and source to have at "
                                + "least as many elements as the mask has ones: " + source.count() + " and "
                                + places.length + ".");
            }
            Scratch.pass(a, d -> SelectionScratch.numbering(a.count()));
            if (places.length > 0) {
                put(t, a, places, source);
            }
        }
    }

    /** Positions go to memory of the host's choosing: PyTorch's kernel finds them in the scan's. */
    private static void put(Temps t, TensorImpl a, long[] places, TensorImpl source) {
        double[] values = HostValues.doubles(source);
        double[] all = HostValues.doubles(a);
        for (int i = 0; i < places.length; i++) {
            all[(int) places[i]] = values[i];
        }
        if (a.isContiguous()) {
            Sorts.send(a, all);
            return;
        }
        TensorImpl dense = t.own(Sorts.sent(a, all));
        Launch.into(io.vramlab.device.ElementOp.COPY, Launch.NONE, a, dense);
    }

    public static void scatter_(TensorImpl a, TensorImpl mask, TensorImpl source) {
        requireMask("masked_scatter_", mask);
        InPlace.change(a, source, () -> fill(a, mask, source), () -> node(a, mask, source));
    }

    private static Node node(TensorImpl a, TensorImpl mask, TensorImpl source) {
        long[] shape = source.shape();
        Node node = Graph.unbound("MaskedScatterBackward0", (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl self = n.wants(0) ? t.own(Selection.maskedFill(g, n.saved(0), 0)) : null;
                TensorImpl given = null;
                if (n.wants(1)) {
                    TensorImpl chosen = t.own(select(g, n.saved(0)));
                    given = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
                    TensorImpl first = t.own(given.alias(new long[]{chosen.count()}, new long[]{1}, 0));
                    Launch.into(io.vramlab.device.ElementOp.COPY, Launch.NONE, first, chosen);
                }
                return t.give(self, given);
            }
        }, a, source);
        node.save(Graph.input(node, mask));
        return node;
    }

    public static TensorImpl scatter(TensorImpl a, TensorImpl mask, TensorImpl source) {
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            out = t.own(Copies.clone(a));
            scatter_(out, mask, source);
            t.give(out);
        }
        if (Graph.wanted(a, source)) {
            Node made = node(a, mask, source);
            made.addResult(out);
            out.gradFn(made, 0);
        }
        return out;
    }
}
