package io.vramlab.plan;

import io.vramlab.footprint.CubScratch;
import java.util.Map;

/**
 * Sparse gradients, whose indices and values are tensors of their own: the recorder writes what is done to them as operations
 * of these, and one that has no other name, {@code _coalesce}, in which rows of one index become one (SparseCUDATensor.cu).
 */
final class SparseRules {

    private static final long PART = 256;
    /** As many as a block of CUB's selects among keys of eight bytes; anything from 7,500 would do for what was recorded. */
    private static final long UNIQUE_TILE = 7680;

    private SparseRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._coalesce", SparseRules::merged);
    }

    /** The indices as numbers of rows, where each came from and where each new one begins; they are sorted by comparison. */
    private static void merged(Operation o, RuleSteps s) {
        long dimensions = o.form(0).shape()[0];
        long entries = o.form(0).shape()[1];
        long numbers = Long.BYTES * entries;
        long flat = 0;
        if (dimensions == 1) {
            s.result();
        } else {
            flat = s.take(numbers);
        }
        long from = s.take(numbers);
        long begins = s.take(numbers);
        s.passing(2 * parts(numbers) + 2 * PART - 1);
        s.passing(CubScratch.scan(entries, UNIQUE_TILE) + PART);
        s.resultAt(1);
        s.give(begins);
        s.give(from);
        s.results();
        s.give(flat);
    }

    private static long parts(long bytes) {
        return (bytes + PART - 1) / PART * PART;
    }
}
