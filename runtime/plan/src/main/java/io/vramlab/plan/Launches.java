package io.vramlab.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which operations launch a kernel on the device. The first one makes the driver give its threads more local memory, and where the old
 * one lay segments lie from then on (docs/plan.md, "Where segments lie").
 */
final class Launches {

    /** Results whose content nobody writes, and changes of a tensor that touch no byte of it. */
    private static final Set<String> NONE = Set.of("aten.empty", "aten.empty_like", "aten.empty_strided",
            "aten.new_empty",
            "aten.new_empty_strided", "aten.empty_permuted", "aten.set_", "aten.resize_", "aten.detach_", "aten.t_",
            "aten.transpose_", "aten.squeeze_", "aten.unsqueeze_", "aten.as_strided_", "aten._local_scalar_dense");
    private static final Set<String> COPIES = Set.of("aten._to_copy", "aten.copy_", "aten.clone",
            "aten.lift_fresh_copy");

    private Launches() {
    }

    /** Whether it does: copies that need not lay or convert anything are the copy engine's, and views are nobody's. */
    static boolean isLaunched(Operation o) {
        String base = o.base();
        boolean writes = !o.made().isEmpty() || base.endsWith("_") || o.name().endsWith("out");
        if (!writes || NONE.contains(base) || !isOnDevice(o)) {
            return false;
        }
        return !COPIES.contains(base) || isLaid(base.equals("aten.copy_") ? o.form(1) : o.form(0),
                base.equals("aten.copy_") ? o.form(0) : o.result() instanceof TensorRef to ? to.form() : null);
    }

    private static boolean isOnDevice(Operation o) {
        return Stream.of(o.arguments(), List.of(o.named()), o.result() == null ? List.of() : List.of(o.result()))
                .flatMap(values -> Operation.forms(values).stream()).anyMatch(form -> !form.host());
    }

    private static boolean isLaid(TensorForm from, TensorForm to) {
        if (from == null || to == null || from.host() && to.host()) {
            return false;
        }
        boolean asItLies = from.isDense() && Arrays.equals(from.expanded(to.shape()).strides(), to.strides());
        boolean whole = asItLies || from.isContiguous() && to.isContiguous();
        boolean converted = !from.dtype().equals(to.dtype());
        return from.host() ? !to.isContiguous() && !asItLies : !whole || converted;
    }
}
