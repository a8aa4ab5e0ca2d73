package io.vramlab.plan;

import io.vramlab.footprint.SparseScratch;
import java.util.Map;

/**
 * Sparse gradients, whose indices and values are tensors of their own: the recorder writes what is done to them as operations
 * of these, and one that has no other name, {@code _coalesce}, in which rows of one index become one (SparseCUDATensor.cu).
 */
final class SparseRules {

    private SparseRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._coalesce", SparseRules::merged);
        rules.put("aten._sparse_addmm", SparseRules::multiplied);
    }

    /** cuSPARSE reads rows by where they begin and columns, as int32, and writes columns side by side. Its own workspace is small. */
    private static void multiplied(Operation o, RuleSteps s) {
        long entries = Integer.BYTES * o.form(1).shape()[1];
        long begins = s.take(Integer.BYTES * (o.form(0).shape()[0] + 1));
        s.passing(entries);
        long columns = s.take(entries);
        s.passing(o.form(0).bytes());
        s.give(columns);
        s.give(begins);
    }

    /** The indices as numbers of rows, where each came from and where each new one begins; they are sorted by comparison. */
    private static void merged(Operation o, RuleSteps s) {
        long entries = o.form(0).shape()[1];
        long numbers = Long.BYTES * entries;
        boolean stay = o.form(0).shape()[0] == 1; // in what they were sorted in
        if (stay) {
            s.result();
        }
        long flat = stay ? 0 : s.take(numbers);
        long from = s.take(numbers);
        long begins = s.take(numbers);
        s.passing(SparseScratch.sorting(entries));
        s.passing(SparseScratch.merging(entries));
        s.resultAt(1);
        s.results();
        s.give(begins);
        s.give(from);
        s.give(flat);
    }
}
