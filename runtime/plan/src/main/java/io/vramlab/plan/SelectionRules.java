package io.vramlab.plan;

import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.footprint.TopkScratch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is chosen, counted or drawn by values; docs/footprint.md, "Sorting and scanning". */
final class SelectionRules {

    /** Whether the gradient of bags has rows alone, among the arguments. */
    private static final int SPARSE = 9;
    private static final long FEW_ROWS = 128;
    private static final long MODE_AT_ONCE = 2048;

    private SelectionRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.sort", SelectionRules::sort);
        rules.put("aten.argsort", SelectionRules::sort);
        rules.put("aten.masked_select", (o, s) -> {
            long wide = widened(o.form(1), count(o.form(0), o.form(1)), s);
            long places = places(s, count(o.form(0), o.form(1)),
                    Operation.forms(o.result()).getFirst().count() * Math.max(o.form(0).rank(), o.form(1).rank()));
            s.give(wide);
            s.results();
            s.give(places);
        });
        for (String name : List.of("masked_scatter", "masked_scatter_")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                long numbers = s.take(Long.BYTES * o.form(0).count());
                long wide = widened(o.form(1), o.form(0).count(), s);
                s.passing(SelectionScratch.numberingScan(o.form(0).count()));
                s.passing(o.form(2).isContiguous() ? 0 : o.form(2).bytes());
                s.give(wide);
                s.give(numbers);
            });
        }
        rules.put("aten.masked_scatter_backward", (o, s) -> { // what is chosen, and zeros after it for what nothing was taken of
            TensorForm gradient = o.form(0);
            TensorForm source = Operation.forms(o.result()).getFirst();
            long chosen = Math.min(source.count(), o.number(Integer.MAX_VALUE, "places", source.count()));
            long wide = widened(o.form(1), gradient.count(), s);
            long places = places(s, gradient.count(), chosen * gradient.rank());
            s.give(wide);
            if (chosen == source.count()) {
                s.results();
                s.give(places);
                return;
            }
            long selected = s.take(chosen * gradient.element());
            s.give(places);
            long zeros = s.take((source.count() - chosen) * gradient.element());
            s.results();
            s.give(zeros);
            s.give(selected);
        });
        rules.put("aten.bincount", (o, s) -> {
            for (int i = 0; i < 2; i++) { // the least and the greatest
                s.give(extreme(o.form(0), s));
            }
            s.results();
        });
        rules.put("aten.histc", (o, s) -> {
            s.results();
            boolean told = o.number(2, "min", 0) != o.number(3, "max", 0);
            for (int i = 0; i < 2 && !told; i++) {
                s.give(extreme(o.form(0), s));
            }
        });
        rules.put("aten.median", (o, s) -> {
            if (o.arguments().size() == 1) {
                median(o, s);
            }
        });
        rules.put("aten.repeat_interleave", (o, s) -> {
            if (o.name().endsWith(".Tensor")) {
                long n = o.form(0).count();
                long ends = s.take(Long.BYTES * n);
                s.passing(SelectionScratch.scan(n, Long.BYTES));
                if (o.argument(1, "output_size") == null) { // else nobody looks whether all can be repeated
                    s.passing(n, 1L);
                }
                s.results();
                s.give(ends);
            }
        });
        rules.put("aten._embedding_bag", (o, s) -> {
            for (int i : new int[]{2, 1, 0}) {
                s.resultAt(i);
            }
            s.results();
        });
        rules.put("aten._embedding_bag_backward", SelectionRules::bags);
        rules.put("aten.mode", (o, s) -> { // rows are sorted where they lie side by side, else in a copy (TensorModeKernel.cpp)
            s.results();
            TensorForm in = o.form(0);
            int d = in.rank() == 0 ? 0 : Math.floorMod((int) o.number(1, "dim", -1), in.rank());
            boolean copied = in.rank() > 1 && !in.turned(d, in.rank() - 1).isContiguous();
            if (in.rank() > 0 && in.shape()[d] > MODE_AT_ONCE) {
                s.unknown();
            }
            s.passing(copied ? in.bytes() : 0);
        });
        rules.put("aten.searchsorted", (o, s) -> { // an order that is given is looked through for its least and greatest place
            boolean ordered = o.argument(Integer.MAX_VALUE, "sorter") instanceof TensorRef;
            long least = ordered ? s.take(Long.BYTES) : 0;
            long most = ordered ? s.take(Long.BYTES) : 0;
            s.give(least);
            s.give(most);
            s.results();
            boolean asked = o.argument(1) instanceof TensorRef && !o.form(1).isContiguous();
            long bounds = o.form(0).isContiguous() ? 0 : s.take(o.form(0).bytes());
            s.passing(asked ? o.form(1).bytes() : 0);
            s.give(bounds);
        });
        rules.put("aten.nanmedian", (o, s) -> {
            if (o.arguments().size() == 1) {
                medianOfNumbers(o, s);
            }
        });
        rules.put("aten.segment_reduce", SelectionRules::segments);
        rules.put("aten._segment_reduce_backward", SelectionRules::segments);
        rules.put("aten.multinomial", SelectionRules::draw);
        rules.put("aten.randperm", (o, s) -> {
            s.results();
            TensorForm out = Operation.forms(o.result()).getFirst();
            s.passing(out.host() || out.count() == 0 ? Footprint.NOTHING : SelectionScratch.permutation(out.count()));
        });
        rules.put("aten.nonzero", (o, s) -> {
            TensorForm in = o.form(0);
            long packed = widened(in, in.count(), s);
            List<Long> number = s.hold(SelectionScratch.counting(s.device(), in.count()));
            s.results();
            s.passing(in.rank() > 0 ? SelectionScratch.selecting(in.count()) : Footprint.NOTHING); // a single number has no place
            s.give(number);
            s.give(packed);
        });
    }

    /** A mask packed and as wide as what it is for, where it does not lie so (nonzero_cuda_out_impl in Nonzero.cu); 0 for none. */
    static long widened(TensorForm mask, long elements, RuleSteps s) {
        return mask.count() == elements && mask.isContiguous() ? 0 : s.take(elements * mask.element());
    }

    private static long count(TensorForm a, TensorForm b) {
        return Math.max(a.count(), b.count());
    }

    /** Where a mask is set, as numbers that stay; 0 for none. */
    static long places(RuleSteps s, long elements, long numbers) {
        List<Long> count = s.hold(SelectionScratch.counting(s.device(), elements));
        long places = s.take(Long.BYTES * numbers);
        s.passing(SelectionScratch.selecting(elements));
        s.give(count);
        return places;
    }

    /** Short rows by their order at first; one long row, and few of them together, by CUB (Sort.cu). */
    private static void sort(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        boolean stable = o.name().endsWith(".stable");
        int d = (int) o.number(stable ? 2 : 1, "dim", -1);
        long length = in.rank() == 0 ? 1 : in.shape()[d < 0 ? d + in.rank() : d];
        sort(in.count() / Math.max(1, length), length, in.element(), s);
    }

    /** What sorting rows takes besides its results. */
    static void sort(long rows, long length, int element, RuleSteps s) {
        if (rows < 2 || length <= SelectionScratch.SMALL_SORT) {
            s.passing(rows * length < 2 ? Footprint.NOTHING : SelectionScratch.sort(length, element));
        } else if (rows < FEW_ROWS) {
            s.passing(SelectionScratch.sortRows(rows * length, element));
        } else {
            s.passing(SelectionScratch.sortManyRows(rows * length, element));
        }
    }

    /** Of all elements: they are sorted, and one is looked up. */
    private static void median(Operation o, RuleSteps s) {
        long n = o.form(0).count();
        long sorted = s.take(o.form(0).bytes());
        long places = s.take(Long.BYTES * n);
        s.passing(SelectionScratch.sort(n, o.form(0).element()));
        s.give(places);
        long missing = s.take(1);
        s.results();
        s.give(missing);
        s.give(sorted);
    }

    /** The same of those that are numbers, by a whole order; then how many are none, as int64 (Sorting.cpp, nanmedian_impl). */
    private static void medianOfNumbers(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        long n = in.count();
        long sorted = s.take(in.bytes());
        long places = s.take(Long.BYTES * n);
        s.passing(SelectionScratch.sort(n, in.element()));
        s.give(places);
        long none = s.take(n);
        long count = s.take(Long.BYTES);
        long wide = s.take(Long.BYTES * n);
        s.reduction(new TensorForm("int64", new long[]{n}, new long[]{1}, 0, false), new boolean[]{true}, Long.BYTES);
        s.give(wide);
        long place = s.take(Long.BYTES);
        long half = s.take(Integer.BYTES);
        long index = s.take(Long.BYTES);
        s.give(half);
        s.give(place);
        s.give(count);
        s.give(none);
        s.results();
        s.give(index);
        s.give(sorted);
    }

    /** Where each segment ends is summed up from its length (SegmentReduce.cpp): a zero before them, and a scan. */
    private static void segments(Operation o, RuleSteps s) {
        s.results();
        boolean backward = o.base().endsWith("_backward");
        Object lengths = backward ? o.argument(4, "lengths") : o.argument(2, "lengths");
        if (lengths instanceof TensorRef of) {
            TensorForm form = of.form();
            long one = form.count() / Math.max(1, form.shape()[form.rank() - 1]) * form.element();
            long zero = s.take(one);
            long ends = s.take(form.bytes() + one);
            s.give(zero);
            s.passing(form.rank() == 1 ? SelectionScratch.scan(form.count(), form.element()) : Footprint.NOTHING);
            s.give(ends);
        }
    }

    /** As the gradient of an embedding that always sorts; of the greatest by adding one after the other. */
    private static void bags(Operation o, RuleSteps s) {
        if (o.flag(SPARSE, "sparse", false)) {
            return; // rows of the gradient, which are seen where they are asked for
        }
        TensorForm gradient = o.form(0);
        long copied = gradient.isContiguous() ? 0 : s.take(gradient.bytes());
        long n = o.form(1).count();
        if (o.number(8, "mode", 0) == 2) {
            s.results();
        } else {
            List<Long> sorted = s.hold(EmbeddingScratch.sorting(n));
            s.results();
            s.passing(EmbeddingScratch.summingBags(gradient.summed(), n, o.number(6, "num_weights", n),
                    gradient.shape()[gradient.rank() - 1]));
            s.give(sorted);
        }
        s.give(copied);
    }

    /** Probabilities are looked through, then raced against random numbers; drawn with replacement from their sums. */
    private static void draw(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        long rows = in.rank() > 1 ? in.shape()[0] : 1;
        long samples = o.number(1, "num_samples", 1);
        if (samples > 1 && o.flag(2, "replacement", false)) {
            List<Long> distribution = new ArrayList<>(
                    List.of(s.take(in.bytes()), s.take(in.bytes()), s.take(in.bytes())));
            if (rows == 1) { // summed up as a whole, where rows are summed side by side (ScanUtils.cuh, scan_dim)
                s.passing(SelectionScratch.scan(in.count(), in.element()));
            }
            s.give(distribution);
            return;
        }
        long most = extreme(in, s);
        long finite = s.take(1);
        long least = extreme(in, s);
        long positive = s.take(1);
        long valid = s.take(1);
        s.give(List.of(most, finite, least, positive));
        long sums = s.take(rows * in.element());
        long empty = s.take(rows);
        long any = in.rank() > 1 ? s.take(1) : empty; // of one row it is itself what is asked
        s.give(in.rank() > 1 ? List.of(sums, empty) : List.of(sums));
        s.passing(1L);
        long raced = s.take(in.bytes());
        if (samples > 1) { // the greatest of each row
            long greatest = s.take(rows * samples * in.element());
            s.passing(TopkScratch.of(s.device(), rows, in.count() / Math.max(1, rows), in.element()));
            s.give(greatest);
        }
        s.give(raced);
        s.give(any);
        s.give(valid);
    }

    static long extreme(TensorForm in, RuleSteps s) {
        long value = s.take(in.element());
        ReductionRules.whole(in, s);
        return value;
    }
}
