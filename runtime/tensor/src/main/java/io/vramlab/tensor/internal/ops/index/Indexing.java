package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
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
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Python's brackets: {@code a[...]} and {@code a[...] = value}, by numbers, slices and tensors. */
public final class Indexing {

    private Indexing() {
    }

    public static TensorImpl get(TensorImpl a, Object... items) {
        try (Brackets brackets = new Brackets(a, items)) {
            return brackets.isIndexed()
                    ? index(brackets.view(), brackets.tensors())
                    : brackets.view() == a ? viewOf(a) : brackets.view().retain();
        }
    }

    /** Nothing but whole slices: still a tensor of its own. */
    private static TensorImpl viewOf(TensorImpl a) {
        return Views.view(a, a.shape());
    }

    /** Elements by tensors, one for each dimension or null. */
    static TensorImpl index(TensorImpl a, TensorImpl... tensors) {
        TensorImpl out;
        try (Temps t = new Temps()) {
            Plan plan = new Plan(t, a, tensors);
            out = TensorImpl.empty(a.device(), a.dtype(), plan.shape());
            t.own(out);
            if (out.count() > 0) {
                a.driver().kernels().indexGet(out.operand(), plan.spread(), plan.indices(), plan.sizes(),
                        plan.strides(),
                        a.stream());
            }
            t.give(out);
            // PyTorch makes the result, then the graph; positions of a mask go with the formula's temporaries
            record(a, out, tensors);
        }
        return out;
    }

    private static void record(TensorImpl a, TensorImpl out, TensorImpl... tensors) {
        if (!Graph.wanted(a)) {
            return;
        }
        long[] shape = a.shape();
        Node node = Graph.recordUnary("IndexBackward0", out, a, (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, shape));
                TensorImpl[] kept = saved(n, 0, tensors.length);
                accumulate(grad, kept, g);
                if (Graph.wanted(g)) {
                    Node made = Graph.recordUnary("IndexPutImplBackward0", grad, g,
                            (m, second) -> index(second, saved(m, 0, kept.length))).differentiable();
                    made.save(Arrays.stream(kept).map(k -> k == null ? null : Graph.input(made, k))
                            .toArray(SavedTensor[]::new));
                }
                return t.give(grad);
            }
        });
        node.save(Arrays.stream(tensors).map(t -> t == null ? null : Graph.input(node, t)).toArray(SavedTensor[]::new));
    }

    private static TensorImpl[] saved(Node n, int from, int count) {
        TensorImpl[] tensors = new TensorImpl[count];
        for (int i = 0; i < count; i++) {
            tensors[i] = n.saved(from + i);
        }
        return tensors;
    }

    /** {@code a[tensors] = values}, or += if they accumulate; outside the graph. */
    static void write(TensorImpl a, TensorImpl[] tensors, TensorImpl values, boolean accumulate) {
        if (accumulate) {
            accumulate(a, tensors, values);
            return;
        }
        try (Temps t = new Temps()) {
            Plan plan = new Plan(t, a, tensors);
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
            Plan plan = new Plan(t, a, tensors);
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

    private static TensorImpl positions(Plan plan) {
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

    /** {@code a[items] = value}, the value broadcast. */
    public static void set(TensorImpl a, TensorImpl value, Object... items) {
        try (Brackets brackets = new Brackets(a, items)) {
            TensorImpl view = brackets.view();
            if (brackets.isIndexed()) {
                put(view, brackets.tensors(), value, false);
                return;
            }
            try (Temps t = new Temps()) {
                InPlace.copy(view, fitted(t, view, value), false);
            }
        }
    }

    /** As PyTorch's slicePrefix1sSize: what is set may have dimensions of one too many at the front. */
    private static TensorImpl fitted(Temps t, TensorImpl view, TensorImpl value) {
        int more = value.rank() - view.rank();
        if (more <= 0 || Arrays.stream(value.shape(), 0, more).anyMatch(n -> n != 1)) {
            return value;
        }
        return t.own(Views.view(value, Arrays.copyOfRange(value.shape(), more, value.rank())));
    }

    public static void set(TensorImpl a, double value, Object... items) {
        try (Brackets brackets = new Brackets(a, items)) {
            TensorImpl view = brackets.view();
            TensorImpl[] tensors = brackets.tensors();
            if (!brackets.isIndexed()) {
                InPlace.fill(view, value);
            } else if (isOneMask(view, tensors)) {
                fillMasked(view, tensors, value);
            } else {
                putNumber(view, tensors, value);
            }
        }
    }

    private static boolean isOneMask(TensorImpl a, TensorImpl... tensors) {
        long named = Arrays.stream(tensors).filter(t -> t != null).count();
        return named == 1 && Arrays.stream(tensors).allMatch(t -> t == null || t.dtype() == DType.BOOL);
    }

    /** PyTorch's canDispatchToMaskedFill: one mask, of whichever dimensions, is filled where it is true. */
    private static void fillMasked(TensorImpl a, TensorImpl[] tensors, double value) {
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

    private static void putNumber(TensorImpl a, TensorImpl[] tensors, double value) {
        InPlace.change(a, null, () -> number(a, tensors, value), () -> {
            Node node = Graph.unbound("IndexPutBackward0", (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(Copies.clone(g));
                    number(grad, saved(n, 0, tensors.length), 0);
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
                TensorImpl[] kept = saved(n, 0, count);
                TensorImpl self = null;
                if (n.wants(0)) {
                    self = accumulate ? g.retain() : without(g, kept, shape);
                    t.own(self);
                }
                TensorImpl given = n.wants(1) ? t.own(index(g, kept)) : null;
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

    /** Where each element of an indexed tensor lies. */
    private static final class Plan {

        private final TensorImpl a;
        private final List<TensorImpl> indices = new ArrayList<>();
        private final List<Integer> dims = new ArrayList<>();
        private final List<TensorImpl> masks = new ArrayList<>();
        private final long[] shape;
        private final int at;
        private final long[] common;

        Plan(Temps t, TensorImpl a, TensorImpl... tensors) {
            this.a = a;
            for (int d = 0; d < tensors.length; d++) {
                TensorImpl index = tensors[d];
                if (index == null) {
                    continue;
                }
                Launch.device("index", a, index);
                if (index.dtype() == DType.BOOL || index.dtype() == DType.UINT8) {
                    mask(t, index, d);
                } else {
                    indices.add(index.dtype() == DType.INT64
                            ? index
                            : t.own(Launch.unary(ElementOp.COPY, index, DType.INT64)));
                    dims.add(d);
                }
            }
            long[] together = indices.getFirst().shape();
            for (TensorImpl index : indices) {
                together = broadcast(together, index.shape());
            }
            common = together;
            boolean adjacent = dims.getLast() - dims.getFirst() == dims.size() - 1;
            at = adjacent ? dims.getFirst() : 0;
            shape = new long[a.rank() - dims.size() + common.length];
            int to = 0;
            for (int d = 0; d <= a.rank(); d++) {
                if (to == at && (adjacent ? d == at : d == 0)) {
                    for (long size : common) {
                        shape[to++] = size;
                    }
                }
                if (d < a.rank() && !dims.contains(d)) {
                    shape[to++] = a.shape()[d];
                }
            }
        }

        private static long[] broadcast(long[] x, long[] y) {
            try {
                return Shape.broadcast(x, y, "index");
            } catch (TensorException e) {
                throw new TensorException(
                        "shape mismatch: indexing tensors could not be broadcast together with shapes "
                                + Shape.text(x) + " and " + Shape.text(y) + ".");
            }
        }

        private void mask(Temps t, TensorImpl mask, int d) {
            for (int k = 0; k < mask.rank(); k++) {
                if (mask.shape()[k] != a.shape()[d + k]) {
                    throw new TensorException("The shape of the mask " + Shape.text(mask.shape()) + " at index " + k
                            + " does not match the shape of the indexed tensor " + Shape.text(a.shape()) + " at index "
                            + (d + k) + ".");
                }
            }
            TensorImpl where = t.own(NonZero.of(mask));
            masks.add(where);
            for (int k = 0; k < mask.rank(); k++) {
                indices.add(t.own(where.alias(new long[]{where.shape()[0]}, new long[]{where.strides()[0]},
                        where.offset() + k * where.strides()[1])));
                dims.add(d + k);
            }
        }

        /** Positions of masks are not looked at again. */
        void dropMasks(Temps t) {
            if (!masks.isEmpty()) {
                List<TensorImpl> views = List.copyOf(indices);
                masks.forEach(m -> views.stream().filter(v -> v.storage() == m.storage()).forEach(t::free));
                masks.forEach(t::free);
                masks.clear();
            }
        }

        long[] shape() {
            return shape;
        }

        int many() {
            return indices.size();
        }

        long size(int k) {
            return a.shape()[dims.get(k)];
        }

        /** How far one step of an index is among the indexed dimensions, the last the nearest. */
        long step(int k) {
            long step = 1;
            for (int j = k + 1; j < many(); j++) {
                step *= size(j);
            }
            return step;
        }

        long positions() {
            return step(0) * size(0);
        }

        /** An index seen in the common shape. */
        TensorImpl flat(Temps t, int k) {
            TensorImpl index = indices.get(k);
            return Arrays.equals(index.shape(), common)
                    ? index
                    : t.own(index.alias(common, index.expandedStrides(common), index.offset()));
        }

        /** The tensor in the result's shape, still where an index is 0. */
        Operand spread() {
            long[] strides = new long[shape.length];
            int to = 0;
            for (int d = 0; d < a.rank(); d++) {
                if (to == at) {
                    to += common.length;
                }
                if (!dims.contains(d)) {
                    strides[to++] = a.strides()[d];
                }
            }
            Operand o = a.operand();
            return new Operand(o.address(), o.dtype(), shape, strides);
        }

        Operand[] indices() {
            Operand[] all = new Operand[many()];
            for (int k = 0; k < all.length; k++) {
                TensorImpl index = indices.get(k);
                long[] seen = index.expandedStrides(common);
                long[] strides = new long[shape.length];
                System.arraycopy(seen, 0, strides, at, common.length);
                all[k] = new Operand(index.operand().address(), DType.INT64, shape, strides);
            }
            return all;
        }

        long[] sizes() {
            return dims.stream().mapToLong(d -> a.shape()[d]).toArray();
        }

        long[] strides() {
            return dims.stream().mapToLong(d -> a.strides()[d]).toArray();
        }

        /** Values in the result's shape. */
        TensorImpl fit(TensorImpl values) {
            long[] whole;
            try {
                whole = Shape.broadcast(shape, values.shape(), "index_put");
            } catch (TensorException e) {
                whole = null;
            }
            if (!Arrays.equals(whole, shape)) {
                throw new TensorException("shape mismatch: value tensor of shape " + Shape.text(values.shape())
                        + " cannot be broadcast to indexing result of shape " + Shape.text(shape) + ".");
            }
            return values.alias(shape, values.expandedStrides(shape), values.offset());
        }

        /** Adds values at positions among the indexed dimensions. */
        void add(TensorImpl values, TensorImpl position) {
            List<Integer> order = new ArrayList<>(dims);
            for (int d = 0; d < a.rank(); d++) {
                if (!dims.contains(d)) {
                    order.add(d);
                }
            }
            long[] sizes = order.stream().mapToLong(d -> a.shape()[d]).toArray();
            long[] steps = order.stream().mapToLong(d -> a.strides()[d]).toArray();
            long[] rows = new long[1 + sizes.length - many()];
            rows[0] = positions();
            System.arraycopy(sizes, many(), rows, 1, rows.length - 1);
            long[] merged = merged(sizes, steps, rows);
            if (merged == null) {
                a.driver().kernels().indexPut(ScatterOp.ADD, spread(), values.operand(), indices(), sizes(), strides(),
                        a.stream());
                return;
            }
            // the values with the dimensions of the index first
            long[] from = new long[shape.length];
            long[] fromSteps = new long[shape.length];
            int to = 0;
            for (int k = 0; k < common.length; k++) {
                from[to] = shape[at + k];
                fromSteps[to++] = values.strides()[at + k];
            }
            for (int d = 0; d < shape.length; d++) {
                if (d < at || d >= at + common.length) {
                    from[to] = shape[d];
                    fromSteps[to++] = values.strides()[d];
                }
            }
            Operand v = new Operand(values.operand().address(), values.dtype(), from, fromSteps);
            a.driver().kernels().indexAdd(new Operand(a.operand().address(), a.dtype(), rows, merged),
                    position.operand(), v, a.stream());
        }

        /** Strides of the indexed dimensions as one, and of the others; null if they are none. */
        private long[] merged(long[] sizes, long[] steps, long[] rows) {
            long[] first = Strides.view(Arrays.copyOf(sizes, many()), Arrays.copyOf(steps, many()),
                    new long[]{rows[0]});
            if (first == null) {
                return null;
            }
            long[] out = new long[rows.length];
            out[0] = first[0];
            System.arraycopy(steps, many(), out, 1, rows.length - 1);
            return out;
        }
    }
}
