package io.vramlab.plan;

import io.vramlab.footprint.SparseScratch;
import java.util.Map;

/**
 * Sparse gradients, whose indices and values are tensors of their own: the recorder writes what is done to them as operations
 * of these, and one that has no other name, {@code _coalesce}, in which rows of one index become one (SparseCUDATensor.cu).
 */
final class SparseRules {

    private static final long ENTRIES = 256;
    private static final long ALIGNED = 7;

    private SparseRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._coalesce", SparseRules::merged);
        rules.put("aten._sparse_addmm", SparseRules::multiplied);
    }

    /**
     * cuSPARSE reads rows by where they begin and columns, as int32, a packed copy of what lies otherwise, and writes columns side by
     * side. Its own workspace: 4 bytes for each 256 entries, and 7 (four products on an H100).
     */
    private static void multiplied(Operation o, RuleSteps s) {
        long entries = Integer.BYTES * o.form(1).shape()[1];
        long begins = s.take(Integer.BYTES * (o.form(0).shape()[0] + 1));
        s.passing(entries);
        long columns = s.take(entries);
        long turned = s.take(o.form(0).bytes());
        TensorForm dense = o.form(3);
        long packed = dense.isContiguous() || dense.turned(0, 1).isContiguous() ? 0 : s.take(dense.bytes());
        s.passing(Integer.BYTES * ((o.form(1).shape()[1] + ENTRIES - 1) / ENTRIES) + ALIGNED);
        s.give(packed);
        s.give(turned);
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
