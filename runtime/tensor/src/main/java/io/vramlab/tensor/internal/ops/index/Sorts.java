package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.Comparator;

/** Sorted elements, the k-th of them, the middle one, and which there are. */
public final class Sorts {

    private Sorts() {
    }

    /** Values and positions; NaN is the largest, equal elements stay in their order. */
    public static TensorImpl[] sort(TensorImpl a, int dim, boolean descending) {
        int d = Shape.dim(dim, a.rank());
        try (Temps t = new Temps()) {
            TensorImpl values = t.own(TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.preserving(a)));
            TensorImpl indices = t.own(TensorImpl.emptyStrided(a.device(), DType.INT64, a.shape(),
                    Strides.preserving(a)));
            if (a.count() > 0) {
                long length = a.rank() == 0 ? 1 : a.shape()[d];
                Scratch.during(a, p -> SelectionScratch.sort(length, a.dtype().bytes()),
                        () -> a.driver().kernels().topk(along(values, d), along(indices, d), along(a, d), descending,
                                a.stream()));
            }
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("SortBackward0", values, a, (n, g) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl grad = u.own(Factories.full(g.device(), g.dtype(), 0, g.shape()));
                        g.driver().kernels().scatterAdd(grad.operand(), d, n.saved(0).operand(), g.operand(),
                                g.stream());
                        return u.give(grad);
                    }
                });
                node.save(Graph.input(node, indices));
            }
            return t.give(values, indices);
        }
    }

    /** The operand with a dimension last. */
    private static io.vramlab.device.Operand along(TensorImpl a, int d) {
        if (a.rank() == 0) {
            return new io.vramlab.device.Operand(a.operand().address(), a.dtype(), new long[]{1}, new long[]{1});
        }
        int last = a.rank() - 1;
        long[] shape = new long[a.rank()];
        long[] strides = new long[a.rank()];
        int to = 0;
        for (int i = 0; i <= last; i++) {
            int place = i == d ? last : to++;
            shape[place] = a.shape()[i];
            strides[place] = a.strides()[i];
        }
        return new io.vramlab.device.Operand(a.operand().address(), a.dtype(), shape, strides);
    }

    public static TensorImpl argsort(TensorImpl a, int dim, boolean descending) {
        try (GradMode.State off = GradMode.enter(false)) {
            TensorImpl[] sorted = sort(a, dim, descending);
            sorted[0].release();
            return sorted[1];
        }
    }

    /** The k-th smallest along a dimension and where it is; k from 1. */
    public static TensorImpl[] kthvalue(TensorImpl a, long k, int dim, boolean keep) {
        int d = Shape.dim(dim, a.rank());
        long length = a.rank() == 0 ? 1 : a.shape()[d];
        if (k < 1 || k > length) {
            throw new TensorException("kthvalue(): selected number k out of range for dimension " + dim + ": k is " + k
                    + ", the dimension has " + length + " elements.");
        }
        return chosen("KthvalueBackward0", a, d, keep, false, row -> order(row)[(int) k - 1]);
    }

    /** The middle of each row, the lower of two, and where it is. NaN wins. */
    public static TensorImpl[] median(TensorImpl a, int dim, boolean keep) {
        int d = Shape.dim(dim, a.rank());
        return chosen("MedianBackward0", a, d, keep, false, row -> {
            Integer[] order = order(row);
            int last = order[order.length - 1];
            return Double.isNaN(row[last])
                    ? Arrays.stream(order).filter(i -> Double.isNaN(row[i])).findFirst().orElseThrow()
                    : order[(row.length - 1) / 2];
        });
    }

    /** The most frequent of each row, the smallest of those, and where it last is. */
    public static TensorImpl[] mode(TensorImpl a, int dim, boolean keep) {
        int d = Shape.dim(dim, a.rank());
        return chosen("ModeBackward0", a, d, keep, true, row -> {
            Integer[] order = order(row);
            int best = 0;
            int most = 0;
            for (int from = 0, to; from < order.length; from = to) {
                to = from + 1;
                while (to < order.length && row[order[to]] == row[order[from]]) {
                    to++;
                }
                if (to - from > most) {
                    most = to - from;
                    best = order[to - 1];
                }
            }
            return best;
        });
    }

    private static Integer[] order(double... row) {
        Integer[] order = new Integer[row.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> row[i] + 0.0));
        return order;
    }

    /** One element of each row. */
    private interface Choice {
        int of(double... row);
    }

    /**
     * Values and positions of one element of each row; which one is decided on the host, from a copy of the values.
     *
     * @param copies
     *            whether PyTorch copies a tensor whose rows do not lie together
     */
    private static TensorImpl[] chosen(String name, TensorImpl a, int d, boolean keep, boolean copies,
            Choice choice) {
        long[] shape = a.shape().clone();
        if (shape.length > 0) {
            shape[d] = 1;
        }
        try (Temps t = new Temps()) {
            TensorImpl values = t.own(TensorImpl.empty(a.device(), a.dtype(), shape));
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), DType.INT64, shape));
            if (a.count() > 0 && a.driver().holdsValues()) {
                try (GradMode.State off = GradMode.enter(false)) {
                    TensorImpl moved = t.own(Views.transpose(a, d, a.rank() - 1));
                    if (copies && a.device().isCuda() && !moved.isContiguous()) {
                        TensorImpl.empty(a.device(), a.dtype(), moved.shape()).release();
                    }
                    double[] all = HostValues.doubles(moved);
                    int length = a.rank() == 0 ? 1 : (int) a.shape()[d];
                    long[] at = new long[all.length / length];
                    for (int r = 0; r < at.length; r++) {
                        at[r] = choice.of(Arrays.copyOfRange(all, r * length, (r + 1) * length));
                    }
                    NonZero.send(t.own(inOrder(indices, at.length)), back(at, shape, d));
                }
                a.driver().kernels().gather(values.operand(), a.operand(), d, indices.operand(), a.stream());
            }
            TensorImpl v = keep || a.rank() == 0 ? values : t.own(squeezed(values, d));
            TensorImpl i = keep || a.rank() == 0 ? indices : t.own(squeezed(indices, d));
            return Lookup.pair(t, name, a, d, v, i);
        }
    }

    private static TensorImpl inOrder(TensorImpl indices, int count) {
        return indices.alias(new long[]{count}, new long[]{1}, 0);
    }

    /** Rows were read with dimension d and the last one swapped: to the order of the result, whose dimension d is 1. */
    private static long[] back(long[] rows, long[] shape, int d) {
        int last = shape.length - 1;
        if (d >= last) {
            return rows;
        }
        long inner = shape[last];
        long middle = 1;
        for (int i = d + 1; i < last; i++) {
            middle *= shape[i];
        }
        long outer = rows.length / (inner * middle);
        long[] out = new long[rows.length];
        for (long o = 0; o < outer; o++) {
            for (long i = 0; i < inner; i++) {
                for (long m = 0; m < middle; m++) {
                    out[(int) ((o * middle + m) * inner + i)] = rows[(int) ((o * inner + i) * middle + m)];
                }
            }
        }
        return out;
    }

    private static TensorImpl squeezed(TensorImpl a, int d) {
        try (GradMode.State off = GradMode.enter(false)) {
            return Views.squeeze(a, d);
        }
    }

    /** The middle of all, the lower of two: all are sorted for it, as in PyTorch. */
    public static TensorImpl median(TensorImpl a) {
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl flat = t.own(Views.reshape(a, a.count()));
            TensorImpl[] sorted = sort(flat, 0, false);
            TensorImpl values = t.own(sorted[0]);
            sorted[1].release();
            Scratch scratch = Scratch.on(a.device());
            try (scratch) {
                if (a.device().isCuda()) {
                    scratch.take(SelectionScratch.held(1));
                }
                out = t.own(TensorImpl.empty(a.device(), a.dtype()));
                boolean nan = a.driver().holdsValues() && Double.isNaN(
                        Elements.real(Elements.at(values, a.count() - 1)));
                TensorImpl middle = t.own(Views.select(values, 0, nan ? a.count() - 1 : (a.count() - 1) / 2));
                Launch.into(ElementOp.COPY, Launch.NONE, out, middle);
            }
            t.give(out);
        }
        return Extremes.tieExtreme("MedianBackward0", a, out);
    }

    // ---- which there are ----

    /** The distinct elements, sorted; where each element is among them, and how often each is, if asked. */
    public static TensorImpl[] unique(TensorImpl a, boolean inverse, boolean counts) {
        NonZero.requireValues(a, "unique");
        if (Graph.wanted(a)) {
            throw new AutogradException("the derivative for '_unique2' is not implemented: call it under NoGrad, or on "
                    + "detached tensors.");
        }
        double[] all = HostValues.doubles(a);
        double[] distinct = Arrays.stream(all).map(v -> v + 0.0).sorted().distinct().toArray();
        long[] places = new long[all.length];
        long[] many = new long[distinct.length];
        for (int i = 0; i < all.length; i++) {
            places[i] = Arrays.binarySearch(distinct, all[i] + 0.0);
            many[(int) places[i]]++;
        }
        try (Temps t = new Temps(); Scratch scratch = Scratch.on(a.device())) {
            long n = a.count();
            boolean cuda = a.device().isCuda() && n > 0;
            TensorImpl sorted = t.own(TensorImpl.empty(a.device(), a.dtype(), n));
            TensorImpl where = null;
            if (cuda && inverse) {
                scratch.take(SelectionScratch.sortedOrder(n, a.dtype().bytes()));
                try (Scratch begins = Scratch.on(a.device())) {
                    begins.take(SelectionScratch.held(Long.BYTES * n));
                    where = t.own(TensorImpl.empty(a.device(), DType.INT64, a.shape()));
                    begins.take(SelectionScratch.inverses(n));
                }
            } else if (cuda) {
                scratch.take(SelectionScratch.sortKeys(n, a.dtype().bytes()));
            }
            TensorImpl[] found = counted(t, a, cuda, counts, distinct, many);
            t.free(sorted);
            if (!inverse) {
                return t.give(found);
            }
            if (where == null) {
                where = t.own(TensorImpl.empty(a.device(), DType.INT64, a.shape()));
            }
            NonZero.send(where, places);
            return counts ? t.give(found[0], where, found[1]) : t.give(found[0], where);
        }
    }

    /** The distinct elements, in room for all of them; and how often each is, if asked, likewise. */
    private static TensorImpl[] counted(Temps t, TensorImpl a, boolean cuda, boolean counts, double[] distinct,
            long[] many) {
        long n = a.count();
        try (Temps u = new Temps(); Scratch number = Scratch.on(a.device())) {
            TensorImpl room = u.own(TensorImpl.empty(a.device(), a.dtype(), n));
            if (cuda) {
                number.take(SelectionScratch.held(Long.BYTES));
            }
            TensorImpl numbers = counts ? u.own(TensorImpl.empty(a.device(), DType.INT64, n)) : null;
            if (cuda) {
                number.take(counts ? SelectionScratch.selecting(n) : SelectionScratch.distinct(n, a.dtype().bytes()));
            }
            send(room, distinct);
            TensorImpl out = t.own(room.alias(new long[]{distinct.length}, new long[]{1}, 0));
            if (!counts) {
                return new TensorImpl[]{out};
            }
            TensorImpl often = t.own(numbers.alias(new long[]{many.length}, new long[]{1}, 0));
            NonZero.send(often, many);
            return new TensorImpl[]{out, often};
        }
    }

    /** The elements without those that are as the one before them; how often each is there, if asked. */
    public static TensorImpl[] uniqueConsecutive(TensorImpl a, boolean counts) {
        NonZero.requireValues(a, "uniqueConsecutive");
        if (Graph.wanted(a)) {
            throw new AutogradException(
                    "the derivative for 'unique_consecutive' is not implemented: call it under NoGrad, or "
                            + "on detached tensors.");
        }
        double[] all = HostValues.doubles(a);
        int[] begins = IntStream.range(0, all.length).filter(i -> i == 0 || all[i] != all[i - 1]).toArray();
        double[] distinct = Arrays.stream(begins).mapToDouble(i -> all[i]).toArray();
        long[] many = IntStream.range(0, begins.length)
                .mapToLong(i -> (i + 1 < begins.length ? begins[i + 1] : all.length) - begins[i]).toArray();
        try (Temps t = new Temps()) {
            t.own(Copies.contiguous(a));
            TensorImpl[] found = counted(t, a, a.device().isCuda() && a.count() > 0, counts, distinct, many);
            return t.give(found);
        }
    }

    /** Values of the host as a new tensor like that one. */
    public static TensorImpl sent(TensorImpl like, double... values) {
        TensorImpl out = TensorImpl.empty(like.device(), like.dtype(), like.shape());
        try (Temps t = new Temps()) {
            t.own(out);
            send(out, values);
            return t.give(out);
        }
    }

    public static void send(TensorImpl to, double... values) {
        TensorImpl target = to.alias(new long[]{values.length}, new long[]{1}, to.offset());
        try (Temps t = new Temps()) {
            t.own(target);
            TensorImpl cpu = t.own(Factories.ofHeap(io.vramlab.device.Device.cpu(), DType.FLOAT64,
                    java.lang.foreign.MemorySegment.ofArray(values), values.length, values.length));
            TensorImpl converted = t.own(Copies.to(cpu, io.vramlab.device.Device.cpu(), to.dtype()));
            Copies.copyAcross(target, converted, false);
        }
    }
}
