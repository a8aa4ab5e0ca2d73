package io.vramlab.plan;

import java.util.List;
import java.util.Map;

/** Operations over lists of tensors. */
final class ForeachRules {

    private static final long CHUNK = 65_536;

    private ForeachRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten._foreach_norm", (o, s) -> {
            List<Form> forms = Operation.forms(o.argument(0));
            long chunks = forms.stream().mapToLong(f -> (f.count() + CHUNK - 1) / CHUNK).max().orElse(0);
            long parts = s.take(
                    forms.size() * chunks * Math.max(Float.BYTES, forms.isEmpty() ? 4 : forms.getFirst().element()));
            s.results();
            s.give(parts);
        });
    }
}
