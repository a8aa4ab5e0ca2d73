package io.vramlab.plan;

import java.util.List;
import java.util.Map;

/** Losses and softmax; docs/footprint.md, "Losses and softmax". */
final class LossRules {

    private static final long NO_REDUCTION = 0;

    private LossRules() {
    }

    static void add(Map<String, Rule> rules) {
        for (String name : List.of("mse_loss", "smooth_l1_loss", "huber_loss")) {
            rules.put("aten." + name, LossRules::squares);
        }
        rules.put("aten.binary_cross_entropy", LossRules::binary);
        rules.put("aten.binary_cross_entropy_with_logits", LossRules::logits);
        rules.put("aten._softmax_backward_data", (o, s) -> {
            s.results();
            s.passing(o.form(0).bytes());
        });
    }

    /** The result was made as large as the inputs and cut down; the losses are a temporary. */
    private static void squares(Operation o, Steps s) {
        Form in = o.form(0);
        if (o.number(2, "reduction", 1) == NO_REDUCTION) {
            return;
        }
        s.result(in.bytes());
        long losses = s.take(in.bytes());
        s.reduction(in, ReductionRules.every(in), Math.max(Float.BYTES, in.element()));
        s.give(losses);
    }

    /** So was this result; the sum is a temporary of its own. */
    private static void binary(Operation o, Steps s) {
        Form in = o.form(0);
        s.result(in.bytes());
        if (o.number(3, "reduction", 1) != NO_REDUCTION) {
            long sum = s.take(in.element());
            s.reduction(in, ReductionRules.every(in), Math.max(Float.BYTES, in.element()));
            s.give(sum);
        }
    }

    private static void logits(Operation o, Steps s) {
        Form in = o.form(0);
        if (o.number(4, "reduction", 1) == NO_REDUCTION) {
            s.passing(in.bytes());
            return;
        }
        long sigmoid = s.take(in.bytes());
        long losses = s.take(in.bytes());
        s.give(sigmoid);
        s.results();
        s.reduction(in, ReductionRules.every(in), Math.max(Float.BYTES, in.element()));
        s.give(losses);
    }
}
