package io.vramlab.plan;

import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.footprint.IndexedRowsScratch;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.footprint.TopkScratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Rows chosen by indices, and their gradients; docs/footprint.md, "Gradients of rows". */
final class RowRules {

    private RowRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.embedding_dense_backward", RowRules::embedding);
        rules.put("aten.embedding", (o, s) -> {
            TensorForm indices = o.form(1);
            long flat = indices.isFlat() ? 0 : s.take(indices.bytes());
            s.results();
            if (flat != 0) {
                s.give(flat);
            }
        });
        for (String name : List.of("cumsum", "cumprod")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                TensorForm in = o.form(0);
                TensorForm out = Operation.forms(o.result()).getFirst();
                s.passing(in.dtype().equals(out.dtype()) ? in.isContiguous() ? 0 : in.bytes() : out.bytes());
                int d = (int) o.number(1, "dim", 0);
                if (in.rank() > 0 && in.count() > 0 && in.shape()[d < 0 ? d + in.rank() : d] == in.count()) {
                    s.passing(SelectionScratch.scan(in.count(), Operation.forms(o.result()).getFirst().element()));
                }
            });
        }
        rules.put("aten.index", (o, s) -> {
            long chosen = chosen(o);
            List<Long> masks = masks(o, s, chosen);
            List<Long> brought = brought(o, s, chosen);
            List<Long> copies = masks.isEmpty() && brought.isEmpty() ? copies(o, s) : List.of();
            s.results();
            s.give(copies);
            s.give(brought);
            s.give(masks);
        });
        rules.put("aten.topk", RowRules::topk);
        rules.put("aten.roll", RowRules::roll);
        for (String name : List.of("scatter_reduce", "scatter_reduce_")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                if ("mean".equals(o.argument(4, "reduce"))) { // ones that count, the counts, and where they are 0
                    TensorForm self = o.form(0);
                    s.passing(o.form(2).count() * self.element(), self.bytes(), self.count());
                }
            });
        }
        for (String name : List.of("index_reduce", "index_reduce_")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                if ("mean".equals(o.argument(4, "reduce"))) { // the counts, ones that count, and where they are 0
                    TensorForm self = o.form(0);
                    long counts = s.take(self.bytes());
                    s.passing(o.form(3).bytes());
                    s.passing(self.count());
                    s.give(counts);
                }
            });
        }
        rules.put("aten.index_put", RowRules::put);
        rules.put("aten.index_put_", RowRules::put);
        rules.put("aten._index_put_impl_", RowRules::put);
    }

    /** What is found comes in no order: more than a few are sorted afterwards, into tensors that are copied back (TensorTopK.cpp). */
    private static void topk(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        int d = (int) o.number(2, "dim", -1);
        long length = in.rank() == 0 ? 1 : in.shape()[d < 0 ? d + in.rank() : d];
        long rows = in.count() / Math.max(1, length);
        long packed = in.isContiguous() ? 0 : s.take(in.bytes());
        s.passing(TopkScratch.of(s.device(), rows, length, in.element()));
        s.give(packed);
        long k = o.number(1, "k", 0);
        if (o.flag(4, "sorted", true) && k > SelectionScratch.SMALL_SORT) {
            long indices = s.take(Long.BYTES * rows * k);
            long values = s.take(in.element() * rows * k);
            SelectionRules.sort(rows, k, in.element(), s);
            s.passing(Long.BYTES * rows * k);
            s.give(values);
            s.give(indices);
        }
    }

    /** One dimension after the other; all that was rolled stays until the last is (roll_common). */
    private static void roll(Operation o, RuleSteps s) {
        int dimensions = o.argument(2) instanceof List<?> dims ? dims.size() : 1;
        long copied = o.form(0).isContiguous() ? 0 : s.take(o.form(0).bytes());
        List<Long> rolled = new ArrayList<>();
        for (int i = 1; i < dimensions; i++) {
            rolled.add(s.take(o.form(0).bytes()));
            s.give(copied);
            copied = 0;
        }
        s.results();
        s.give(rolled);
        s.give(copied);
    }

    /** Indices of 32 bits are made 64 wide; several are read side by side: if they lie differently, packed copies are (make_info, AdvancedIndex). */
    private static List<Long> copies(Operation o, RuleSteps s) {
        List<TensorForm> indices = Operation.forms(o.argument(1));
        long[] shape = {};
        for (TensorForm index : indices) {
            shape = broadcast(shape, index.shape());
        }
        List<TensorForm> expanded = new ArrayList<>();
        List<Long> taken = new ArrayList<>();
        for (TensorForm index : indices) {
            TensorForm as = index.expanded(shape);
            if (index.dtype().equals("int32")) {
                as = as.as("int64");
                taken.add(s.take(as.bytes()));
            }
            expanded.add(as);
        }
        boolean alike = expanded.stream().allMatch(i -> Arrays.equals(i.strides(), expanded.getFirst().strides()));
        for (TensorForm index : expanded) {
            if (!alike && !index.isContiguous()) {
                taken.add(s.take(index.bytes()));
            }
        }
        return taken;
    }

    /** Strides of that shape where it lies packed. */
    static long[] packed(long[] shape) {
        long[] strides = new long[shape.length];
        long step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = step;
            step *= shape[d];
        }
        return strides;
    }

    /** The shape that both are seen in. */
    static long[] broadcast(long[] a, long[] b) {
        long[] wide = a.length >= b.length ? a.clone() : b.clone();
        long[] other = a.length >= b.length ? b : a;
        for (int d = 1; d <= other.length; d++) {
            wide[wide.length - d] = Math.max(wide[wide.length - d], other[other.length - d]);
        }
        return wide;
    }

    /** How many elements a mask among the indices chose, by the result's size. */
    private static long chosen(Operation o) {
        TensorForm self = o.form(0);
        long rest = 1;
        List<?> indices = (List<?>) o.argument(1);
        for (int d = 0, at = 0; d < self.rank(); at++) {
            TensorForm index = at < indices.size() && indices.get(at) instanceof TensorRef t ? t.form() : null;
            int covered = index != null && index.isMask() ? index.rank() : 1;
            rest *= index == null ? self.shape()[d] : 1;
            d += Math.max(1, covered);
        }
        return rest == 0 ? 0 : Operation.forms(o.result()).getFirst().count() / rest;
    }

    /** Masks among indices become numbers, which stay until the end (IndexingUtils.h). */
    private static List<Long> masks(Operation o, RuleSteps s, long chosen) {
        List<Long> places = new ArrayList<>();
        for (TensorForm index : Operation.forms(o.argument(1))) {
            if (index.isMask() && !index.host()) {
                long packed = SelectionRules.widened(index, index.count(), s);
                places.add(SelectionRules.places(s, index.count(), index.rank() * chosen));
                s.give(packed);
            }
        }
        return places;
    }

    /** Indices of the host are brought to the device, as wide as all are together (make_info in TensorAdvancedIndexing.cpp). */
    private static List<Long> brought(Operation o, RuleSteps s, long chosen) {
        long[] shape = {};
        List<TensorForm> indices = Operation.forms(o.argument(1));
        for (TensorForm index : indices) {
            shape = broadcast(shape, index.isMask() ? new long[]{chosen} : index.shape());
        }
        List<Long> taken = new ArrayList<>();
        for (TensorForm index : indices) {
            for (int d = index.isMask() ? index.rank() : 1; index.host() && d > 0; d--) {
                taken.add(s.take(Long.BYTES * Arrays.stream(shape).reduce(1, (a, b) -> a * b)));
            }
        }
        return taken;
    }

    /** How many a mask sets shows in the values, where there is more than one. */
    private static void putWhereSet(Operation o, RuleSteps s, TensorForm mask) {
        TensorForm self = o.form(0);
        TensorForm values = o.form(2);
        long rest = self.count() / Math.max(1, mask.count());
        long told = values.count() != 1 ? Math.min(mask.count(), values.count() / Math.max(1, rest)) : mask.count();
        long chosen = o.number(Integer.MAX_VALUE, "places", told);
        List<Long> places = masks(o, s, chosen);
        if (o.flag(3, "accumulate", false)) {
            boolean unsafe = o.base().endsWith("_index_put_impl_") && o.flag(4, "unsafe", false);
            boolean[] hosts = new boolean[mask.rank()];
            Arrays.fill(hosts, mask.host());
            s.passing(IndexedRowsScratch.of(chosen, mask.count(), hosts,
                    values.isContiguous() ? 0 : chosen * rest * self.element(), !unsafe));
        } else {
            places.addAll(brought(o, s, chosen));
        }
        s.give(places);
    }

    /** One number of the host's, written where one mask is set, fills it (canDispatchToMaskedFill in TensorAdvancedIndexing.cpp). */
    private static boolean isFilled(Operation o) {
        return Operation.forms(o.argument(1)).size() == 1 && o.form(2).host() && o.form(2).count() == 1
                && !o.flag(3, "accumulate", false);
    }

    private static void put(Operation o, RuleSteps s) {
        s.results();
        TensorForm mask = Operation.forms(o.argument(1)).stream().filter(TensorForm::isMask).findFirst().orElse(null);
        if (mask != null && isFilled(o)) {
            return;
        }
        long one = o.form(2).host() && o.form(2).rank() == 0 ? s.take(o.form(2).element()) : 0;
        if (mask != null) {
            putWhereSet(o, s, mask);
        } else if (o.flag(3, "accumulate", false)) {
            putSorted(o, s);
        } else {
            s.give(brought(o, s, 0));
        }
        s.give(one);
    }

    private static void putSorted(Operation o, RuleSteps s) {
        TensorForm self = o.form(0);
        long[] shape = {};
        long rows = 1;
        boolean[] hosts = {};
        List<?> indices = (List<?>) o.argument(1);
        for (int d = 0; d < indices.size(); d++) {
            if (indices.get(d) instanceof TensorRef index) {
                shape = broadcast(shape, index.form().shape());
                rows *= self.shape()[d];
                hosts = Arrays.copyOf(hosts, hosts.length + 1);
                hosts[hosts.length - 1] = index.form().host();
            }
        }
        long count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        TensorForm values = o.form(2);
        long needed = rows == 0 ? 0 : count * (self.count() / rows) * self.element();
        boolean unsafe = o.base().endsWith("_index_put_impl_") && o.flag(4, "unsafe", false);
        long turned = areApart(indices) ? self.bytes() : 0; // written to in a copy with the indexed dimensions in front
        s.passing(IndexedRowsScratch.of(count, rows, hosts,
                values.isContiguous() && values.bytes() >= needed ? turned : needed, !unsafe));
    }

    /** Whether a dimension that is not indexed lies between two that are (hasContiguousSubspace in IndexingUtils.h). */
    private static boolean areApart(List<?> indices) {
        int first = -1;
        int last = -1;
        int count = 0;
        for (int d = 0; d < indices.size(); d++) {
            if (indices.get(d) instanceof TensorRef) {
                first = first < 0 ? d : first;
                last = d;
                count++;
            }
        }
        return count > 0 && last - first + 1 > count;
    }

    private static void embedding(Operation o, RuleSteps s) {
        TensorForm gradient = o.form(0);
        long n = o.form(1).count();
        long indices = o.form(1).isContiguous() ? 0 : s.take(o.form(1).bytes());
        long copied = gradient.isContiguous() ? 0 : s.take(gradient.bytes());
        sum(o, s, gradient, n);
        s.results();
        for (long block : new long[]{copied, indices}) {
            if (block != 0) {
                s.give(block);
            }
        }
    }

    private static void sum(Operation o, RuleSteps s, TensorForm gradient, long n) {
        if (!EmbeddingScratch.applies(n)) {
            return;
        }
        List<Long> sorted = s.hold(EmbeddingScratch.sorting(n));
        s.results();
        s.passing(EmbeddingScratch.summing(s.device(), gradient.summed(), n, o.number(2, "num_weights", n),
                gradient.shape()[gradient.rank() - 1]));
        s.give(sorted);
    }
}
