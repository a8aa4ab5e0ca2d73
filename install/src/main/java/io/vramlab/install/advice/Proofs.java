package io.vramlab.install.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;

/** Replays what a diagnosis advises, settings, and a larger limit. */
public final class Proofs {

    private static final Set<CauseKind> SCATTER = Set.of(CauseKind.FRAGMENTATION_SIZES, CauseKind.FRAGMENTATION_PINNED);

    private static final Set<CauseKind> GROWS = Set.of(CauseKind.GRAPH_KEPT, CauseKind.TENSORS_KEPT,
            CauseKind.GROWN_BY_CAT, CauseKind.FAILURES, CauseKind.ACCUMULATION);
    private static final String LARGER_LIMIT = "a larger limit";
    private static final String EXPANDABLE = "expandable_segments:True";

    private Proofs() {
    }

    /**
     * All advice that a diagnosis gives, what is proven to be enough first.
     *
     * @param conf the settings that the history was recorded under, as in PYTORCH_CUDA_ALLOC_CONF; empty for the default ones
     * @param tried the same history under several settings, within the recorded limit
     */
    public static List<Advice> of(Diagnosis diagnosis, String conf, WhatIfReport tried, ReplayProgress progress) {
        Replays replays = new Replays(diagnosis, conf, progress);
        boolean failed = !diagnosis.evidence().story().failures().isEmpty();
        CauseKind kind = diagnosis.verdict().kind();
        if (kind == CauseKind.HEALTHY) {
            return List.of(); // a failure that the program went on from asks for nothing
        }
        List<Advice> advice = new ArrayList<>(new Remedies(diagnosis, replays).about(diagnosis.verdict()));
        if (advice.isEmpty()) {
            advice.add(Advice.unproven(kind.advice()));
        }
        if (SCATTER.contains(kind) || failed) {
            settings(replays, conf, tried).ifPresent(advice::add);
        }
        long limit = replays.limit();
        if (limit > 0) {
            WhatIfResult recorded = replays.recorded();
            advice.add(new Advice(LARGER_LIMIT, "no limit", recorded.allocatedPeak(), recorded.reservedPeak(), true,
                    0));
        }
        advice.sort(Comparator.comparingInt(each -> rank(each, kind)));
        return List.copyOf(advice);
    }

    /** Whether what a cause keeps is more with every step, so that other settings only put it off. */
    public static boolean grows(CauseKind kind) {
        return GROWS.contains(kind);
    }

    /**
     * What the verdict asks for comes first where it is enough, and where it cannot be replayed before settings, which make room for
     * what should not be there; settings before what was replayed and is not enough, unless what is kept grows.
     */
    private static int rank(Advice advice, CauseKind kind) {
        boolean scattered = SCATTER.contains(kind);
        if (advice.what().equals(LARGER_LIMIT)) {
            return 5;
        }
        if (advice.isSettings()) {
            return scattered ? 1 : GROWS.contains(kind) ? 4 : 2;
        }
        return advice.isProven() ? advice.enough() ? 0 : 3 : scattered ? 2 : 1;
    }

    /**
     * The best of the settings that were tried, where they help. Where a replay serves all that the recording asked for under the very
     * settings that ran out, since its holes lie elsewhere, that others serve it too proves nothing.
     */
    private static Optional<Advice> settings(Replays replays, String conf, WhatIfReport tried) {
        WhatIfResult recorded = replays.recorded();
        if (replays.limit() > 0
                && tried.results().stream().anyMatch(each -> each.conf().equals(conf) && each.oom() == null)) {
            return Optional.empty();
        }
        return tried.results().stream().filter(result -> !result.conf().equals(conf) && result.oom() == null)
                .filter(result -> replays.limit() > 0 || result.reservedPeak() < recorded.reservedPeak())
                // of those that get through, the one that leaves nothing scattered; else the one that reserves least
                .min(Comparator.comparing((WhatIfResult result) -> replays.limit() == 0
                        || !result.conf().equals(EXPANDABLE)).thenComparingLong(WhatIfResult::reservedPeak)
                        .thenComparing(WhatIfResult::conf))
                .map(result -> Advice.settings(result.conf(), result.allocatedPeak(), result.reservedPeak(),
                        recorded.allocatedPeak() - result.allocatedPeak()));
    }
}
