package io.vramlab.plan;

import java.util.List;
import java.util.Map;

/** Operations element by element that take more than their results: numbers as tensors, and packed copies of what is read. */
final class ElementRules {

    private ElementRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.pow", (o, s) -> {
            s.results();
            if (o.name().equals("aten.pow.Scalar") && o.argument(0) instanceof Number base && base.doubleValue() != 1) {
                s.passing((long) Double.BYTES); // the base becomes a tensor (Pow.cpp)
            }
        });
        for (String kind : List.of("nearest1d", "nearest2d", "nearest3d", "_nearest_exact2d")) {
            rules.put("aten.upsample_" + kind, ElementRules::packed);
            rules.put("aten.upsample_" + kind + "_backward", ElementRules::packed);
        }
        for (String kind : List.of("linear1d", "bilinear2d", "bicubic2d", "trilinear3d")) {
            rules.put("aten.upsample_" + kind + "_backward", ElementRules::packed);
        }
    }

    /** Gradients, and what the nearest neighbour is read from, are read as they lie or with channels side by side. */
    private static void packed(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        if (!in.isContiguous() && !in.isSideBySide()) {
            s.passing(in.bytes());
        }
    }
}
