package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.SavedTensor;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Writing where tensors say: index_put, and {@code a[...] = number}. */
public final class IndexPut {

    private IndexPut() {
    }

    /** {@code a[tensors] = values}, or += if they accumulate; outside the graph. */
    static void write(TensorImpl a, TensorImpl[] tensors, TensorImpl values, boolean accumulate) {
        if (accumulate) {
            accumulate(a, tensors, values);
            return;
        }
        try (Temps t = new Temps()) {
            IndexPlan plan = new IndexPlan(t, a, tensors);
            TensorImpl given = t.own(plan.fit(values));
            if (given.count() > 0) {
                a.driver().kernels().indexPut(ScatterOp.SET, plan.spread(), given.operand(), plan.indices(),
                        plan.sizes(), plan.strides(), a.stream());
            }
        }
    }

    /**
     * Adds rows where indices say, as PyTorch's index_put_with_sort_kernel does: indices brought into range, one position of
     * them all, the values in one piece, positions sorted. Positions and values are made for real; the memory of sorting is taken
     * and given back.
     */
    static void accumulate(TensorImpl a, TensorImpl[] tensors, TensorImpl values) {
        try (Temps t = new Temps()) {
            IndexPlan plan = new IndexPlan(t, a, tensors);
            TensorImpl given = t.own(plan.fit(values));
            if (given.count() == 0) {
                return;
            }
            TensorImpl position = t.own(positions(plan));
            plan.dropMasks(t);
            if (a.device().isCuda()) {
                given = t.own(Copies.contiguous(given));
            }
            long many = position.count();
            try (Scratch scratch = Scratch.on(a.device())) {
                if (a.device().isCuda()) {
                    scratch.take(SelectionScratch.sortedPositions(many, plan.positions()));
                }
                plan.add(given, position);
            }
        }
    }

    private static TensorImpl positions(IndexPlan plan) {
        TensorImpl sum = null;
        try (Temps t = new Temps()) {
            for (int k = 0; k < plan.many(); k++) {
                try (Temps u = new Temps()) {
                    TensorImpl wrapped = u.own(inRange(plan.flat(u, k), plan.size(k)));
                    TensorImpl scaled = Launch.unary(ElementOp.MUL_SCALAR, wrapped, DType.INT64, plan.step(k));
                    if (sum == null) {
                        sum = t.own(scaled);
                    } else {
                        u.own(scaled);
                        Launch.into(ElementOp.ADD, new double[]{1}, sum, sum, scaled);
                    }
                }
            }
            return t.give(sum);
        }
    }

    private static TensorImpl inRange(TensorImpl index, long size) {
        TensorImpl out = TensorImpl.empty(index.device(), DType.INT64, index.count());
        try (Temps t = new Temps()) {
            t.own(out);
            TensorImpl seen = t.own(out.alias(index.shape(), Shape.contiguous(index.shape()), 0));
            Launch.into(ElementOp.REMAINDER_SCALAR, new double[]{size}, seen, index);
            return t.give(out);
        }
    }

    static boolean isOneMask(TensorImpl a, TensorImpl... tensors) {
        long named = Arrays.stream(tensors).filter(t -> t != null).count();
        return named == 1 && Arrays.stream(tensors).allMatch(t -> t == null || t.dtype() == DType.BOOL);
    }

    /** PyTorch's canDispatchToMaskedFill: one mask, of whichever dimensions, is filled where it is true. */
    static void fillMasked(TensorImpl a, TensorImpl[] tensors, double value) {
        int first = 0;
        while (tensors[first] == null) {
            first++;
        }
        try (Temps t = new Temps()) {
            TensorImpl mask = tensors[first];
            for (int d = 0; d < mask.rank(); d++) {
                if (first + d >= a.rank() || mask.shape()[d] != a.shape()[first + d]) {
                    throw new TensorException("The shape of the mask " + Shape.text(mask.shape()) + " at index " + d
                            + " does not match the shape of the indexed tensor " + Shape.text(a.shape()) + " at index "
                            + (first + d) + ": give a mask of those sizes.");
                }
            }
            for (int d = first + tensors[first].rank(); d < a.rank(); d++) {
                mask = t.own(Views.unsqueeze(mask, -1));
            }
            InPlace.maskedFill(a, mask, value);
        }
    }

    static void putNumber(TensorImpl a, TensorImpl[] tensors, double value) {
        InPlace.change(a, null, () -> number(a, tensors, value), () -> {
            Node node = Graph.unbound("IndexPutBackward0", (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Copies.clone(g));
                    number(grad, Indexing.saved(n, 0, tensors.length), 0);
                    return new TensorImpl[]{t.give(grad)};
                }
            }, a);
            node.save(Arrays.stream(tensors).map(t -> t == null ? null : Graph.input(node, t))
                    .toArray(SavedTensor[]::new));
            return node;
        });
    }

    /** A number of the host goes to the device for the while. */
    private static void number(TensorImpl a, TensorImpl[] tensors, double value) {
        try (Temps t = new Temps()) {
            write(a, tensors, t.own(Factories.full(a.device(), a.dtype(), value)), false);
        }
    }

    /** index_put_. */
    public static void put(TensorImpl a, TensorImpl[] tensors, TensorImpl values, boolean accumulate) {
        requireSame(a, values);
        InPlace.change(a, values, () -> {
            if (accumulate && a.device().isCuda()) {
                checkRange(a, tensors);
            }
            write(a, tensors, values, accumulate);
        }, () -> node(a, tensors, values, accumulate));
    }

    private static void requireSame(TensorImpl a, TensorImpl values) {
        if (a.dtype() != values.dtype()) {
            throw new TensorException("Index put requires the source and destination dtypes match, got " + a.dtype()
                    + " for the destination and " + values.dtype() + " for the source: convert one with to(...).");
        }
        Launch.device("index_put", a, values);
    }

    /** The largest and the smallest index are looked at first. */
    private static void checkRange(TensorImpl a, TensorImpl... tensors) {
        for (TensorImpl index : tensors) {
            if (index != null && index.dtype() != DType.BOOL && index.count() > 0) {
                Scratch.pass(a, d -> SelectionScratch.looked(Long.BYTES));
                Scratch.pass(a, d -> SelectionScratch.looked(Long.BYTES));
            }
        }
    }

    private static Node node(TensorImpl a, TensorImpl[] tensors, TensorImpl values, boolean accumulate) {
        long[] shape = values.shape();
        int count = tensors.length;
        Node node = Graph.unbound("IndexPutBackward0", (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl[] kept = Indexing.saved(n, 0, count);
                TensorImpl self = null;
                if (n.wants(0)) {
                    self = accumulate ? g.retain() : without(g, kept, shape);
                    t.own(self);
                }
                TensorImpl given = n.wants(1) ? t.own(Indexing.index(g, kept)) : null;
                return t.give(self, given);
            }
        }, a, values);
        node.save(Arrays.stream(tensors).map(t -> t == null ? null : Graph.input(node, t)).toArray(SavedTensor[]::new));
        return node;
    }

    private static TensorImpl without(TensorImpl g, TensorImpl[] tensors, long[] shape) {
        try (Temps t = new Temps()) {
            TensorImpl zeros = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
            TensorImpl grad = t.own(Copies.clone(g));
            write(grad, tensors, zeros, false);
            return t.give(grad);
        }
    }

    /** index_put: of a copy. */
    public static TensorImpl putInto(TensorImpl a, TensorImpl[] tensors, TensorImpl values, boolean accumulate) {
        requireSame(a, values);
        TensorImpl out;
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            out = t.own(Copies.clone(a));
            put(out, tensors, values, accumulate);
            t.give(out);
        }
        if (Graph.wanted(a, values)) {
            Node node = node(a, tensors, values, accumulate);
            node.addResult(out);
            out.gradFn(node, 0);
        }
        return out;
    }
}
