package io.vramlab.plan;

import io.vramlab.footprint.GradientNorms;
import java.util.List;
import java.util.Map;

/** Operations over lists of tensors. */
final class ForeachRules {

    private ForeachRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._foreach_norm", (o, s) -> {
            List<TensorForm> forms = Operation.forms(o.argument(0));
            long parts = s.take(
                    GradientNorms.partialSums(forms.stream().map(TensorForm::count).toList())
                            * Math.max(Float.BYTES, forms.isEmpty() ? 4 : forms.getFirst().element()));
            s.results();
            s.give(parts);
        });
    }
}
