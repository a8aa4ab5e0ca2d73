package io.vramlab.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What Inductor does on the device besides running what it compiled, and does not where a run before it left the outcome on disk: which of
 * several kernels is the fastest is tried ({@code trial} to {@code tried}), and graphs are searched and measured ({@code compiling} to
 * {@code compiled}). Another process on the machine may be that run; docs/plan.md, "What is estimated, and what is left out".
 */
final class KeptKernels {

    private static final String TRIAL = "trial";
    private static final String TRIED = "tried";
    private static final String COMPILING = "compiling";
    private static final String COMPILED = "compiled";

    private KeptKernels() {
    }

    /** What may be on disk, each as marks that begin what is then left out: kernels alone, and graphs with them. Empty where nothing is compiled. */
    static List<Set<String>> of(TraceTraits traits) {
        List<Set<String>> kept = new ArrayList<>();
        if (traits.marks().contains(TRIAL)) {
            kept.add(Set.of(TRIAL));
        }
        if (traits.marks().contains(COMPILING)) {
            kept.add(Set.of(TRIAL, COMPILING));
        }
        return kept;
    }

    /** The events that are left. */
    static int[] order(List<PlanEvent> events, Set<String> kept) {
        Set<Long> untaken = new HashSet<>();
        IntStream.Builder order = IntStream.builder();
        int depth = 0;
        for (int i = 0; i < events.size(); i++) {
            PlanEvent event = events.get(i);
            if (event instanceof PlanEvent.Mark m && kept.contains(m.what())) {
                depth++;
            } else if (event instanceof PlanEvent.Mark m && depth > 0 && ends(m, kept)) {
                depth--;
            } else if (event instanceof Operation o && depth > 0) {
                o.made().forEach(made -> untaken.add(made.storage()));
            } else if (!(event instanceof PlanEvent.Released r && untaken.remove(r.storage()))) {
                order.add(i);
            }
        }
        return order.build().toArray();
    }

    private static boolean ends(PlanEvent.Mark m, Set<String> kept) {
        return m.what().equals(TRIED) || m.what().equals(COMPILED) && kept.contains(COMPILING);
    }
}
