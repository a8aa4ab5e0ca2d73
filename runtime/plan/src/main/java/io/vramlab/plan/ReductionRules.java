package io.vramlab.plan;

import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reductions: the result, then the scratch of docs/footprint.md, "Reductions". */
final class ReductionRules {

    private ReductionRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        for (String name : List.of("sum", "mean", "prod", "nansum", "linalg_vector_norm", "norm")) {
            rules.put("aten." + name, (o, s) -> reduce(o, s, dimensions(o, name.contains("norm") ? 2 : 1), 1));
        }
        for (String name : List.of("amax", "amin", "any", "all", "_is_all_true")) {
            rules.put("aten." + name, (o, s) -> reduce(o, s, dimensions(o, 1), 0));
        }
        for (String name : List.of("max", "min", "argmax", "argmin")) {
            rules.put("aten." + name, (o, s) -> {
                boolean indexed = name.startsWith("arg") || o.arguments().size() > 1;
                if (o.argument(1) instanceof TensorRef) {
                    s.results();
                } else if (!indexed && !o.form(0).isContiguous()) {
                    s.results();
                    whole(o.form(0), s);
                } else {
                    reduce(o, s, dimensions(o, 1), indexed ? Accumulator.WITH_POSITION : 0);
                }
            });
        }
        rules.put("aten.aminmax", (o, s) -> { // both at once, without a dimension
            s.results();
            if (o.argument(1, "dim") == null && o.arguments().size() < 2) {
                s.reduction(o.form(0), every(o.form(0)), 2 * o.form(0).element());
            }
        });
        rules.put("aten._fused_moving_avg_obs_fq_helper", ReductionRules::observed);
        rules.put("aten.allclose", ReductionRules::allClose);
        rules.put("aten.trace", (o, s) -> { // the sum of the diagonal, converted where the sum is of another type
            s.results();
            long wide = Operation.forms(o.result()).getFirst().element();
            s.passing(wide == o.form(0).element() ? 0 : wide * Math.min(o.form(0).shape()[0], o.form(0).shape()[1]));
        });
        rules.put("aten.logsumexp", ReductionRules::logsumexp);
        rules.put("aten.count_nonzero", (o, s) -> { // a sum of truth values
            long nonzero = o.form(0).dtype().equals("bool") ? 0 : s.take(o.form(0).count());
            s.results();
            long numbers = s.take(Long.BYTES * o.form(0).count());
            s.reduction(o.form(0), dimensions(o, 1), Long.BYTES);
            s.give(numbers);
            s.give(nonzero);
        });
        for (String name : List.of("var", "std", "var_mean", "std_mean")) {
            rules.put("aten." + name, (o, s) -> {
                boolean complex = o.form(0).dtype().startsWith("complex"); // the sum of both parts'
                List<Long> parts = complex && !name.contains("mean")
                        ? List.of(s.take(o.made().getFirst().bytes()), s.take(o.made().getFirst().bytes()))
                        : List.of();
                reduce(o, s, dimensions(o, 1), Accumulator.bytes(ReduceOp.VAR, o.form(0).summed()));
                s.give(parts);
            });
        }
    }

    /** Least and greatest of all, or of each row, for what observes them, then what is rounded and where it was in range (FusedObsFakeQuant.cu). */
    private static void observed(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        boolean rows = o.flag(11, "per_row_fq", false);
        long packed = in.isContiguous() ? 0 : s.take(in.bytes());
        long bytes = Float.BYTES * (rows ? in.shape()[(int) o.number(10, "ch_axis", 0)] : 1);
        long least = s.take(bytes);
        long most = s.take(bytes);
        if (!rows) {
            s.reduction(in, every(in), 2 * Float.BYTES);
        }
        s.give(most);
        s.give(least);
        s.results();
        s.give(packed);
    }

    /** The greatest or least of all, of a packed copy of what does not lie packed (ReduceAllOps.cpp). */
    static void whole(TensorForm in, RuleSteps s) {
        long copied = in.isContiguous() ? 0 : s.take(in.bytes());
        TensorForm packed = new TensorForm(in.dtype(), new long[]{in.count()}, new long[]{1}, 0, false);
        s.reduction(packed, every(packed), in.element());
        s.give(copied);
    }

    /** isclose: equal, or nearer than is allowed and finite; then whether all are (TensorCompare.cpp). */
    private static void allClose(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        if (in == null || in.host() || !in.isFloating()) {
            return;
        }
        long equal = s.take(in.count());
        long[] allowed = {s.take(in.bytes()), s.take(in.bytes()), s.take(in.bytes())};
        s.give(allowed[1]);
        s.give(allowed[0]);
        long difference = s.take(in.bytes());
        long actual = s.take(in.bytes());
        s.give(difference);
        long size = s.take(in.bytes());
        long[] finite = {s.take(in.count()), s.take(in.count()), s.take(in.count())};
        s.give(finite[1]);
        s.give(finite[0]);
        s.give(size);
        long near = s.take(in.count());
        s.give(near);
        s.give(finite[2]);
        s.give(actual);
        s.give(allowed[2]);
        long all = s.take(1);
        s.reduction(in, every(in), 1);
        s.give(all);
        s.give(equal);
    }

    /** The greatest of each row is found and taken away, the rest raised and summed. */
    private static void logsumexp(Operation o, RuleSteps s) {
        boolean whole = !o.form(0).isFloating(); // whole numbers are converted first
        TensorForm in = whole ? o.form(0).as("float32") : o.form(0);
        long converted = whole ? s.take(in.bytes()) : 0;
        boolean[] reduced = dimensions(o, 1);
        long kept = 1;
        for (int d = 0; d < in.rank(); d++) {
            kept *= reduced[d] ? 1 : in.shape()[d];
        }
        int real = in.dtype().startsWith("complex") ? in.element() / 2 : in.element();
        long most = s.take(kept * real); // of the real parts
        s.reduction(in, reduced, real);
        s.passing(kept * real, kept); // whether they are infinite
        long raised = s.take(in.bytes());
        s.results();
        s.reduction(in, reduced, Math.max(Float.BYTES, in.element()));
        s.give(raised);
        s.give(most);
        s.give(converted);
    }

    /**
     * @param accumulator
     *            bytes of a partial result; 0 for those of the dtype, 1 for those of the dtype and at least 4
     */
    private static void reduce(Operation o, RuleSteps s, boolean[] reduced, int accumulator) {
        s.results();
        TensorForm in = o.form(0);
        if (in == null || in.host() || in.count() == 0) {
            return;
        }
        long converted = 0;
        if (accumulator == 1 && !in.isFloating() && !o.base().contains("norm")) {
            if (in.element() < Long.BYTES) { // sums of narrow integers are of int64
                converted = s.take(in.count() * Long.BYTES);
            }
            s.reduction(in, reduced, Long.BYTES);
        } else {
            int bytes = accumulator > 1
                    ? accumulator
                    : accumulator == 1 ? Math.max(Float.BYTES, in.element()) : in.element();
            s.reduction(in, reduced, bytes);
        }
        if (converted != 0) {
            s.give(converted);
        }
    }

    /** Which dimensions go: those named by the argument at that position, all without one. */
    static boolean[] dimensions(Operation o, int position) {
        TensorForm in = o.form(0);
        if (in == null) {
            return new boolean[0];
        }
        boolean[] reduced = new boolean[in.rank()];
        Object which = o.argument(position);
        if (which instanceof Number n) {
            which = List.of(n);
        }
        boolean all = !(which instanceof List<?> list) || list.isEmpty();
        if (all) {
            Arrays.fill(reduced, true);
        } else {
            for (Object d : (List<?>) which) {
                int dim = ((Number) d).intValue();
                if (in.rank() > 0) {
                    reduced[dim < 0 ? dim + in.rank() : dim] = true;
                }
            }
        }
        return reduced;
    }

    static boolean[] every(TensorForm in) {
        boolean[] reduced = new boolean[in.rank()];
        Arrays.fill(reduced, true);
        return reduced;
    }
}
