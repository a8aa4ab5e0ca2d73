package io.vramlab.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Optimizer steps that a GradScaler may skip. Its first scale is large, and it halves it with each step whose gradients are
 * not finite, which only the values tell: the recorder takes all steps as taken. An optimizer whose first steps are skipped
 * makes its state in the first one that is not.
 */
final class ScaledSteps {

    private static final String CHECK = "aten._amp_foreach_non_finite_check_and_unscale_.";
    private static final String UPDATE = "aten._amp_update_scale_.";
    /** These take the scale along and are called in any case. */
    private static final String FUSED = "aten._fused_";

    /** From the first operation of a step to the mark at its end. */
    private record Step(int first, int end) {
    }

    private final List<PlanEvent> events;
    /** Each optimizer's steps, under the first parameter that it works on. */
    private final Map<Long, List<Step>> steps = new HashMap<>();

    private ScaledSteps(List<PlanEvent> events) {
        this.events = events;
    }

    static ScaledSteps of(ProgramTrace trace) {
        ScaledSteps found = new ScaledSteps(trace.events());
        if (!trace.calls(CHECK)) {
            return found;
        }
        boolean scaled = false;
        boolean skippable = true;
        int first = -1;
        long key = Long.MAX_VALUE;
        for (int i = 0; i < found.events.size(); i++) {
            if (found.events.get(i) instanceof Operation o) {
                scaled = scaled && !o.name().startsWith(UPDATE) || o.name().startsWith(CHECK);
                if (o.phase() == Phase.OPTIMIZER) {
                    first = first < 0 ? i : first;
                    skippable &= !o.name().startsWith(FUSED);
                    key = Math.min(key, parameter(trace, o));
                }
            } else if (found.events.get(i) instanceof PlanEvent.Mark m && m.what().equals("optimizer_step")) {
                if (scaled && skippable && first >= 0) {
                    found.steps.computeIfAbsent(key, k -> new ArrayList<>()).add(new Step(first, i));
                }
                first = -1;
                skippable = true;
                key = Long.MAX_VALUE;
            }
        }
        return found;
    }

    private static long parameter(ProgramTrace trace, Operation o) {
        long least = Long.MAX_VALUE;
        for (Object argument : o.arguments()) {
            List<?> several = argument instanceof List<?> list ? list : List.of(argument == null ? "" : argument);
            for (Object one : several) {
                if (one instanceof TensorRef t && trace.holder(t.storage()) != null
                        && trace.holder(t.storage()).kind().equals("parameter")) {
                    least = Math.min(least, t.storage());
                }
            }
        }
        return least;
    }

    /** How many of the first steps to try without: one, half of them, all but one, and all; empty without a scaler. */
    Set<Integer> counts() {
        int most = steps.values().stream().mapToInt(List::size).max().orElse(0);
        Set<Integer> counts = new LinkedHashSet<>(List.of(1, most / 2, most - 1, most));
        counts.removeIf(count -> count < 1 || count > most);
        return counts;
    }

    /** The events in the order in which they come if so many first steps of each optimizer are skipped. */
    int[] order(int skipped) {
        BitSet dropped = new BitSet();
        Map<Integer, Step> instead = new HashMap<>();
        for (List<Step> own : steps.values()) {
            for (Step step : own.subList(0, Math.min(skipped, own.size()))) {
                operations(step, dropped);
            }
            if (skipped > 0 && skipped < own.size()) {
                operations(own.get(skipped), dropped);
                instead.put(own.get(skipped).first(), own.getFirst());
            }
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (instead.containsKey(i)) {
                Step made = instead.get(i);
                for (int k = made.first(); k < made.end(); k++) {
                    order.add(k);
                }
                lateReleases(made, i, order);
            }
            if (!dropped.get(i)) {
                order.add(i);
            }
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private void operations(Step step, BitSet into) {
        for (int i = step.first(); i < step.end(); i++) {
            if (events.get(i) instanceof Operation o && o.phase() == Phase.OPTIMIZER) {
                into.set(i);
            }
        }
    }

    /** What a step made and what went after its end, but before the step that takes its place. */
    private void lateReleases(Step step, int before, List<Integer> order) {
        Set<Long> made = new LinkedHashSet<>();
        for (int i = step.first(); i < step.end(); i++) {
            if (events.get(i) instanceof Operation o) {
                o.made().forEach(m -> made.add(m.storage()));
            }
        }
        for (int i = step.end(); i < before; i++) {
            if (events.get(i) instanceof PlanEvent.Released r && made.contains(r.storage())) {
                order.add(i);
            }
        }
    }
}
