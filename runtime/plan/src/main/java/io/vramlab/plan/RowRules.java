package io.vramlab.plan;

import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.footprint.IndexedRowsScratch;
import java.util.List;
import java.util.Map;

/** Rows chosen by indices, and their gradients; docs/footprint.md, "Gradients of rows". */
final class RowRules {

    private RowRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten.embedding_dense_backward", RowRules::embedding);
        rules.put("aten.index_put", RowRules::put);
        rules.put("aten.index_put_", RowRules::put);
        rules.put("aten._index_put_impl_", RowRules::put);
    }

    private static void put(Operation o, Steps s) {
        s.results();
        if (!o.flag(3, "accumulate", false)) {
            return;
        }
        long count = 1;
        for (Form index : Operation.forms(o.argument(1))) {
            count = Math.max(count, index.count());
        }
        s.passing(IndexedRowsScratch.of(count, o.form(0).shape()[0]));
    }

    private static void embedding(Operation o, Steps s) {
        Form gradient = o.form(0);
        long n = o.form(1).count();
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
