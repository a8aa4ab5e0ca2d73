package io.vramlab.plan;

import java.util.Arrays;
import java.util.Map;

/** Copies from the host into another order of memory: PyTorch brings the bytes over first, and turns them on the device. */
final class CopyRules {

    private CopyRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._to_copy", CopyRules::copied);
    }

    /** Copy.cu, copy_requires_temporaries. */
    private static void copied(Operation o, RuleSteps s) {
        s.results();
        TensorForm from = o.form(0);
        if (from != null && from.host() && o.result() instanceof TensorRef to && !to.form().host()
                && !to.form().isContiguous() && !Arrays.equals(from.strides(), to.form().strides())) {
            s.passing(to.form().bytes());
        }
        boolean toHost = o.result() instanceof TensorRef result && result.form().host()
                && !"meta".equals(o.argument(3, "device")); // where nothing is copied
        if (from != null && !from.host() && toHost && !from.isDense()) {
            s.passing(from.bytes());
        }
    }
}
