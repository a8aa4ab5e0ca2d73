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
            advice.add(new Advice("a larger limit", "no limit", recorded.allocatedPeak(), recorded.reservedPeak(), true,
                    0));
        }
        // what the verdict asks for comes first when it is enough
        advice.sort(Comparator.comparing(
                (Advice a) -> !(a.isProven() && a.enough() && (limit == 0 || !a.what().equals("a larger limit")))));
        return List.copyOf(advice);
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
                .min(Comparator.comparingLong(WhatIfResult::reservedPeak).thenComparing(WhatIfResult::conf))
                .map(result -> Advice.settings(result.conf(), result.allocatedPeak(), result.reservedPeak(),
                        recorded.allocatedPeak() - result.allocatedPeak()));
    }
}
