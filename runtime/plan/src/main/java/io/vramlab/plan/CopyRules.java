package io.vramlab.plan;

import java.util.Arrays;
import java.util.Map;

/**
 * Copies between host and device: PyTorch brings bytes over as they lie side by side, and lays or converts them on one of
 * the two (Copy.cu, copy_requires_temporaries).
 */
final class CopyRules {

    private static final int NON_BLOCKING = 5;

    private CopyRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._to_copy", CopyRules::brought);
        rules.put("aten.copy_", (o, s) -> between(o.form(1), o.form(0), o.flag(2, "non_blocking", false), s));
    }

    private static void brought(Operation o, RuleSteps s) {
        s.results();
        if (o.result() instanceof TensorRef to && !"meta".equals(o.argument(3, "device"))) { // where nothing is copied
            between(o.form(0), to.form(), o.flag(NON_BLOCKING, "non_blocking", false), s);
        }
    }

    /** What a copy takes on the device besides its result. */
    private static void between(TensorForm from, TensorForm to, boolean nonBlocking, RuleSteps s) {
        if (from == null || to == null || from.host() == to.host()) {
            return;
        }
        TensorForm given = from.expanded(to.shape());
        boolean asItLies = given.isDense() && Arrays.equals(given.strides(), to.strides());
        boolean sameType = from.dtype().equals(to.dtype());
        if (sameType && (asItLies || given.isContiguous() && to.isContiguous())) {
            return;
        }
        if (!to.host()) { // converted there where nobody waits, so what comes over is of the type that it has here
            if (!to.isContiguous() || nonBlocking && !sameType) {
                s.passing(to.count() * (nonBlocking ? from : to).element());
            }
            return;
        }
        boolean converted = nonBlocking && !sameType;
        TensorForm brought = converted ? from.as(to.dtype()) : from;
        long first = converted ? s.take(brought.bytes()) : 0;
        TensorForm whole = brought.expanded(to.shape());
        if (!whole.isContiguous()) {
            s.passing(whole.bytes());
        }
        if (converted) {
            s.give(first);
        }
    }
}
