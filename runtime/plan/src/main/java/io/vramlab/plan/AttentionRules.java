package io.vramlab.plan;

import java.util.Map;

/** The kernels of scaled_dot_product_attention; docs/plan.md, "What is exact, and what is not". */
final class AttentionRules {

    private static final long BOUNDS = 256;
    private static final long QUERY_BLOCK = 64;
    private static final long COUNTERS = 128;

    private AttentionRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten._scaled_dot_product_cudnn_attention", AttentionRules::cudnn);
        rules.put("aten._scaled_dot_product_cudnn_attention_backward", AttentionRules::cudnnBackward);
        rules.put("aten._scaled_dot_product_efficient_attention", AttentionRules::efficient);
        rules.put("aten._scaled_dot_product_efficient_attention_backward", AttentionRules::efficientBackward);
        for (String name : new String[]{"_scaled_dot_product_flash_attention",
                "_scaled_dot_product_flash_attention_backward"}) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                s.estimated();
            });
        }
    }

    /** Seed and offset first; the sums of the rows only where backward needs them. */
    private static void cudnn(Operation o, Steps s) {
        if (!o.flag(4, "compute_log_sumexp", true)) {
            s.without(1);
        }
        s.resultAt(2);
        s.resultAt(3);
        s.results();
        if (o.form(0).shape()[2] > 1) {
            s.passing(BOUNDS);
        }
    }

    /** The queries' gradient is summed in float32; shared keys and values have gradients per query head first. */
    private static void cudnnBackward(Operation o, Steps s) {
        s.results();
        Form q = o.form(1);
        Form k = o.form(2);
        Form v = o.form(3);
        long rows = q.shape()[0] * q.shape()[1] * q.shape()[2];
        long shared = k.shape()[1] == q.shape()[1]
                ? 0
                : (k.bytes() + v.bytes()) / k.shape()[1] * q.shape()[1];
        s.passing(q.count() * Float.BYTES + rows * Float.BYTES + shared + BOUNDS);
    }

    private static void efficient(Operation o, Steps s) {
        s.resultAt(0);
        if (o.flag(4, "compute_log_sumexp", true)) {
            s.resultAt(1);
        } else {
            s.without(1);
        }
        boolean drops = o.argument(5, "dropout_p") instanceof Number p && p.doubleValue() > 0;
        for (int i = 2; i < s.made() && !drops; i++) {
            s.without(i);
        }
    }

    /** Row sums of gradient times result, then a buffer in which blocks add their gradients of the queries. */
    private static void efficientBackward(Operation o, Steps s) {
        s.results();
        Form q = o.form(1);
        long heads = q.shape()[0] * q.shape()[1];
        long rows = heads * q.shape()[2];
        long products = s.take(o.form(0).count() * Float.BYTES);
        long sums = s.take(rows * Float.BYTES);
        s.give(products);
        long delta = s.take(rows * Float.BYTES);
        s.give(sums);
        long blocks = (q.shape()[2] + QUERY_BLOCK - 1) / QUERY_BLOCK * QUERY_BLOCK;
        s.passing(heads * (blocks * q.shape()[3] * Float.BYTES + COUNTERS));
        s.give(delta);
    }
}
