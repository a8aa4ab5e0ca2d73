package io.vramlab.plan;

import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.IndexedRowsScratch;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.footprint.TopkScratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Rows chosen by indices, and their gradients; docs/footprint.md, "Gradients of rows". */
final class RowRules {

    private static final long FEW_ROWS = 128;

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
                long converted = Operation.forms(o.result()).getFirst().bytes();
                s.passing(in.isFloating() || in.element() == Long.BYTES ? 0 : converted);
                int d = (int) o.number(1, "dim", 0);
                if (in.rank() > 0 && in.count() > 0 && in.shape()[d < 0 ? d + in.rank() : d] == in.count()) {
                    s.passing(SelectionScratch.scan(in.count(), Operation.forms(o.result()).getFirst().element()));
                }
            });
        }
        rules.put("aten.index", (o, s) -> {
            List<Long> copies = copies(o, s);
            s.results();
            s.give(copies);
        });
        rules.put("aten.topk", (o, s) -> {
            s.results();
            TensorForm in = o.form(0);
            int d = (int) o.number(2, "dim", -1);
            long length = in.rank() == 0 ? 1 : in.shape()[d < 0 ? d + in.rank() : d];
            s.passing(TopkScratch.of(s.device(), in.count() / Math.max(1, length), length, in.element()));
        });
        rules.put("aten.sort", RowRules::sort);
        rules.put("aten.argsort", RowRules::sort);
        rules.put("aten.isin", (o, s) -> { // few values are compared one by one
            s.results();
            long elements = o.form(0) == null ? 1 : o.form(0).count();
            long equal = s.take(elements * (o.form(1) == null ? 1 : o.form(1).count()));
            s.passing(elements);
            s.give(equal);
        });
        rules.put("aten.multinomial", RowRules::draw);
        rules.put("aten.randperm", (o, s) -> {
            s.results();
            TensorForm out = Operation.forms(o.result()).getFirst();
            s.passing(out.host() || out.count() == 0 ? Footprint.NOTHING : SelectionScratch.permutation(out.count()));
        });
        rules.put("aten.nonzero", (o, s) -> {
            TensorForm in = o.form(0);
            List<Long> number = s.hold(SelectionScratch.counting(s.device(), in.count()));
            s.results();
            s.passing(SelectionScratch.selecting(in.count()));
            s.give(number);
        });
        rules.put("aten.roll", RowRules::roll);
        rules.put("aten.index_put", RowRules::put);
        rules.put("aten.index_put_", RowRules::put);
        rules.put("aten._index_put_impl_", RowRules::put);
    }

    /** Short rows by their order at first; one long row, and few of them together, by CUB (Sort.cu). */
    private static void sort(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        boolean stable = o.name().endsWith(".stable");
        int d = (int) o.number(stable ? 2 : 1, "dim", -1);
        long length = in.rank() == 0 ? 1 : in.shape()[d < 0 ? d + in.rank() : d];
        long rows = in.count() / Math.max(1, length);
        if (rows < 2 || length <= SelectionScratch.SMALL_SORT) {
            s.passing(in.count() < 2 ? Footprint.NOTHING : SelectionScratch.sort(length, in.element()));
        } else if (rows < FEW_ROWS) {
            long positions = s.take(in.count() * Long.BYTES);
            long sorted = s.take(in.count() * Long.BYTES);
            long keys = s.take(in.bytes());
            s.passing(SelectionScratch.sortKeys(in.count(), in.element(), Long.BYTES));
            s.give(keys);
            s.give(sorted);
            s.give(positions);
        }
    }

    /** One dimension after the other. */
    private static void roll(Operation o, RuleSteps s) {
        int dimensions = o.argument(2) instanceof List<?> dims ? dims.size() : 1;
        long rolled = dimensions > 1 ? s.take(o.form(0).bytes()) : 0;
        for (int i = 2; i < dimensions; i++) {
            long next = s.take(o.form(0).bytes());
            s.give(rolled);
            rolled = next;
        }
        s.results();
        if (rolled != 0) {
            s.give(rolled);
        }
    }

    /** Probabilities are looked through, then raced against random numbers. */
    private static void draw(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        long rows = in.rank() > 1 ? in.shape()[0] : 1;
        long most = s.take(in.element());
        long finite = s.take(1);
        long least = s.take(in.element());
        long positive = s.take(1);
        long valid = s.take(1);
        s.give(List.of(least, positive, most, finite));
        long sums = s.take(rows * in.element());
        long empty = s.take(rows);
        long any = s.take(1);
        s.give(List.of(sums, empty));
        long bad = s.take(1);
        s.give(any);
        s.passing(in.bytes());
        s.give(bad);
        s.give(valid);
    }

    /** Several indices are read side by side: if they lie differently, packed copies of them are. */
    private static List<Long> copies(Operation o, RuleSteps s) {
        List<TensorForm> indices = Operation.forms(o.argument(1));
        long[] shape = {};
        for (TensorForm index : indices) {
            shape = broadcast(shape, index.shape());
        }
        List<TensorForm> expanded = new ArrayList<>();
        for (TensorForm index : indices) {
            expanded.add(index.expanded(shape));
        }
        boolean alike = expanded.stream().allMatch(i -> Arrays.equals(i.strides(), expanded.getFirst().strides()));
        List<Long> taken = new ArrayList<>();
        for (TensorForm index : expanded) {
            if (!alike && !index.isContiguous()) {
                taken.add(s.take(index.bytes()));
            }
        }
        return taken;
    }

    private static long[] broadcast(long[] a, long[] b) {
        long[] wide = a.length >= b.length ? a.clone() : b.clone();
        long[] other = a.length >= b.length ? b : a;
        for (int d = 1; d <= other.length; d++) {
            wide[wide.length - d] = Math.max(wide[wide.length - d], other[other.length - d]);
        }
        return wide;
    }

    private static void put(Operation o, RuleSteps s) {
        s.results();
        if (!o.flag(3, "accumulate", false)) {
            return;
        }
        TensorForm self = o.form(0);
        long[] shape = {};
        long rows = 1;
        int indexed = 0;
        List<?> indices = (List<?>) o.argument(1);
        for (int d = 0; d < indices.size(); d++) {
            if (indices.get(d) instanceof TensorRef index) {
                shape = broadcast(shape, index.form().shape());
                rows *= self.shape()[d];
                indexed++;
            }
        }
        long count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        TensorForm values = o.form(2);
        long needed = rows == 0 ? 0 : count * (self.count() / rows) * self.element();
        s.passing(IndexedRowsScratch.of(count, rows, indexed,
                values.isContiguous() && values.bytes() >= needed ? 0 : needed));
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
