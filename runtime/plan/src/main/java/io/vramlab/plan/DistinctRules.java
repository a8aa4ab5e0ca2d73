package io.vramlab.plan;

import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.footprint.SparseScratch;
import java.util.List;
import java.util.Map;

/** What is distinct, and what is among others; docs/footprint.md, "Sorting and scanning". */
final class DistinctRules {

    private static final double MOST_COMPARED = 10;
    private static final double COMPARED_POWER = 0.145;

    private DistinctRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._unique2", DistinctRules::unique);
        rules.put("aten.isin", DistinctRules::among);
        rules.put("aten.unique_consecutive", (o, s) -> {
            boolean inverse = o.flag(1, "return_inverse", false);
            boolean counts = o.flag(2, "return_counts", false);
            if (o.argument(3, "dim") instanceof Number dim) {
                slices(o.form(0), dim.intValue(), false, inverse, counts, s);
            } else {
                consecutive(o.form(0), inverse, counts, s);
            }
        });
        rules.put("aten.unique_dim", (o, s) -> slices(o.form(0), (int) o.number(1, "dim", 0), true,
                o.flag(3, "return_inverse", false), o.flag(4, "return_counts", false), s));
        rules.put("aten.unique_dim_consecutive", (o, s) -> slices(o.form(0), (int) o.number(1, "dim", 0), false,
                o.flag(2, "return_inverse", false), o.flag(3, "return_counts", false), s));
    }

    /** All are sorted, equal neighbours found; room for as many results as there are elements (Unique.cu). */
    private static void unique(Operation o, RuleSteps s) {
        long n = o.form(0).count();
        long bytes = Long.BYTES * n;
        boolean inverse = o.flag(2, "return_inverse", false);
        boolean counts = o.flag(3, "return_counts", false);
        if (o.form(0).dtype().equals("bool")) {
            truths(n, inverse, s);
            return;
        }
        long packed = o.form(0).isContiguous() ? 0 : s.take(o.form(0).bytes());
        long sorted = s.take(o.form(0).bytes());
        List<Long> order = List.of();
        if (inverse) {
            order = s.hold(SelectionScratch.sortedOrder(n, o.form(0).element()));
            s.resultAt(1);
            long runs = s.take(bytes);
            s.passing(SelectionScratch.inverses(n));
            s.give(runs);
        } else {
            s.passing(SelectionScratch.sortKeys(n, o.form(0).element()));
        }
        s.resultAt(0, o.form(0).bytes());
        long number = s.take(Long.BYTES);
        if (counts) {
            s.resultAt(2, bytes);
        }
        s.passing(counts ? SelectionScratch.runs(n) : SelectionScratch.distinct(n, o.form(0).element()));
        s.give(number);
        s.give(order);
        s.give(sorted);
        s.give(packed);
        for (int i = 0; i < s.made(); i++) {
            s.without(i);
        }
    }

    /** Neighbours that are equal, of all elements: numbers of runs as int32 first, then as many results as there may be, and their number. */
    private static void consecutive(TensorForm in, boolean inverse, boolean counts, RuleSteps s) {
        long n = in.count();
        long copied = in.isContiguous() ? 0 : s.take(in.bytes());
        if (inverse) {
            s.resultAt(1, Long.BYTES * n);
            long begins = s.take(Integer.BYTES * n);
            s.passing(SelectionScratch.inverses(n));
            s.give(begins);
        } else {
            s.without(1);
        }
        s.resultAt(0, in.bytes());
        long number = s.take(Long.BYTES);
        if (counts) {
            s.resultAt(2, Long.BYTES * n);
        } else {
            s.without(2);
        }
        s.passing(counts ? SelectionScratch.runs(n) : SelectionScratch.selecting(n));
        s.give(number);
        s.give(copied);
    }

    /** Slices that are equal: their numbers are sorted by comparison with Thrust, and those that stay chosen (Unique.cu, unique_dim_cuda_template). */
    private static void slices(TensorForm in, int dim, boolean sorted, boolean inverse, boolean counts, RuleSteps s) {
        int d = Math.floorMod(dim, Math.max(1, in.rank()));
        long many = in.shape()[d];
        long flat = in.rank() > 1 && !in.turned(0, d).isContiguous() ? s.take(in.bytes()) : 0;
        long numbers = s.take(Long.BYTES * many);
        s.passing(sorted ? SparseScratch.sortingKeys(many) : Footprint.NOTHING);
        if (inverse) {
            long begins = s.take(Long.BYTES * many);
            s.resultAt(1, Long.BYTES * many);
            s.passing(SparseScratch.differences());
            s.passing(SparseScratch.summing(many));
            s.give(begins);
        } else {
            s.without(1);
        }
        long bounds = counts ? s.take(Long.BYTES * (many + 1)) : 0;
        s.passing(SparseScratch.merging(many));
        if (counts) {
            s.resultAt(2);
            s.passing(SparseScratch.differences());
            s.give(bounds);
        } else {
            s.without(2);
        }
        s.resultAt(0);
        s.give(numbers);
        s.give(flat);
    }

    /** Of truth values those that are set are counted; there are two results at most, and their counts in any case (UniqueCub.cu). */
    private static void truths(long n, boolean inverse, RuleSteps s) {
        List<Long> count = s.hold(SelectionScratch.counting(s.device(), n));
        s.resultAt(0, 2);
        s.resultAt(2, 2 * Long.BYTES);
        if (inverse) {
            s.resultAt(1);
        } else {
            s.without(1);
        }
        s.give(count);
    }

    /**
     * Few values are compared one by one; from ten times the 0.145th power of the elements on both are made distinct, sorted together,
     * and equal neighbours are found (TensorCompare.cpp, isin_sorting). All are taken to be distinct.
     */
    private static void among(Operation o, RuleSteps s) {
        s.results();
        TensorForm elements = o.form(0);
        TensorForm values = o.form(1);
        long n = elements == null ? 1 : elements.count();
        long m = values == null ? 1 : values.count();
        if (elements == null || values == null || m < (long) (MOST_COMPARED * Math.pow(n, COMPARED_POWER))) {
            long equal = s.take(n * m);
            s.passing(n);
            s.give(equal);
            return;
        }
        int element = values.element();
        long sorted = s.take(elements.bytes());
        List<Long> order = s.hold(SelectionScratch.sortedOrder(n, elements.element()));
        long inverse = s.take(Long.BYTES * n);
        long runs = s.take(Long.BYTES * n);
        s.passing(SelectionScratch.inverses(n));
        s.give(runs);
        long distinct = s.take(elements.bytes());
        distinct(n, elements.element(), s);
        s.give(order);
        s.give(sorted);
        long sortedValues = s.take(values.bytes());
        s.passing(SelectionScratch.sortKeys(m, element));
        long distinctValues = s.take(values.bytes());
        distinct(m, element, s);
        s.give(sortedValues);
        long all = s.take((n + m) * element);
        s.give(distinctValues);
        s.give(distinct);
        long together = s.take((n + m) * element);
        long places = s.take(Long.BYTES * (n + m));
        SelectionRules.sort(1, n + m, element, s);
        long twice = s.take(n + m);
        s.passing(n + m - 1);
        long back = s.take(n + m);
        s.passing(n);
        s.give(back);
        s.give(twice);
        s.give(together);
        s.give(places);
        s.give(all);
        s.give(inverse);
    }

    private static void distinct(long n, int element, RuleSteps s) {
        long number = s.take(Long.BYTES);
        s.passing(SelectionScratch.distinct(n, element));
        s.give(number);
    }
}
