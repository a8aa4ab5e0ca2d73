package io.vramlab.install.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Figures;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.story.Beside;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Places;
import io.vramlab.install.story.Story;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;

/** Replays what a diagnosis advises. */
public final class Proofs {

    private static final Set<CauseKind> LET_GO = Set.of(CauseKind.GRAPH_KEPT, CauseKind.TENSORS_KEPT,
            CauseKind.ACCUMULATION, CauseKind.FAILURES,
            CauseKind.CHECKPOINT,
            CauseKind.TWO_SETS);
    private static final Set<CauseKind> OF_A_STEP = Set.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS, CauseKind.ATTENTION,
            CauseKind.LIMIT);
    private static final Set<CauseKind> SCATTER = Set.of(CauseKind.FRAGMENTATION_SIZES, CauseKind.FRAGMENTATION_PINNED);
    private static final Set<StoryPhase> SCALES = Set.of(StoryPhase.FORWARD, StoryPhase.LOSS, StoryPhase.OTHER,
            StoryPhase.BACKWARD);
    private static final long SMALL = 4096;
    private static final int PARTS = 4;

    private final Diagnosis diagnosis;
    private final Story story;
    private final Lives lives;
    private final String conf;
    private final WhatIfReport tried;
    private final ReplayProgress progress;
    private final long limit;
    private final Supplier<WhatIfResult> recorded;

    private Proofs(Diagnosis diagnosis, String conf, WhatIfReport tried, ReplayProgress progress) {
        this.tried = tried;
        this.diagnosis = diagnosis;
        this.conf = conf;
        this.progress = progress;
        story = diagnosis.evidence().story();
        lives = diagnosis.evidence().lives();
        limit = story.failures().isEmpty() ? 0 : Figures.room(story, diagnosis.evidence().at());
        recorded = Beside.work(story, () -> run(new Altered(story, lives).snapshot(), 0));
    }

    /**
     * All advice that a diagnosis gives, the best proven first.
     *
     * @param conf the settings that the history was recorded under, as in PYTORCH_CUDA_ALLOC_CONF; empty for the default ones
     * @param tried the same history under several settings, within the recorded limit
     */
    public static List<Advice> of(Diagnosis diagnosis, String conf, WhatIfReport tried, ReplayProgress progress) {
        return new Proofs(diagnosis, conf, tried, progress).all();
    }

    private List<Advice> all() {
        List<Advice> advice = new ArrayList<>(about(diagnosis.verdict()));
        CauseKind kind = diagnosis.verdict().kind();
        if (SCATTER.contains(kind) || !story.failures().isEmpty()) {
            settings().ifPresent(advice::add);
        }
        if (kind != CauseKind.HEALTHY && advice.stream().noneMatch(Advice::isProven)) {
            advice.add(Advice.unproven(kind.advice()));
        }
        if (limit > 0) {
            advice.add(new Advice("a larger limit", "no limit", recorded.get().allocatedPeak(),
                    recorded.get().reservedPeak(), true,
                    0));
        }
        // what the verdict asks for comes first when it is enough
        advice.sort(Comparator.comparing(
                (Advice a) -> !(a.isProven() && a.enough() && (limit == 0 || !a.what().equals("a larger limit")))));
        return List.copyOf(advice);
    }

    private List<Advice> about(Finding finding) {
        CauseKind kind = finding.kind();
        if (LET_GO.contains(kind) && finding.blamed().canGo()) {
            return List
                    .of(proven(kind.advice(), "what these lines keep let go of as soon as nothing is known to need it",
                            altered().letGo(finding.blamed().blocks(), finding.blamed().until())));
        }
        if (OF_A_STEP.contains(kind) && story.hasStacks()) {
            return ofAStep(finding);
        }
        return switch (kind) {
            case GROWN_BY_CAT -> List.of(onceForAll(finding));
            case OLD_AND_NEW -> List.of(proven(kind.advice(), "the first of these blocks alone, worked on in place",
                    altered().without(Arrays.stream(finding.blamed().blocks()).skip(1).toArray())
                            .scaled(lives::bytes, size -> 1)));
            case ONE_OPERATION -> List.of(proven(kind.advice(), "the request that failed in " + PARTS + " parts",
                    altered().scaled(lives::bytes, size -> size / PARTS)));
            case OPTIMIZER -> List.of(
                    proven("an optimizer without state (SGD), for one", "none of the blocks of the optimizer's step",
                            altered().without(optimizers()).scaled(lives::bytes, size -> 1)));
            case STREAMS ->
                List.of(proven(kind.advice(), "all on one stream, where nothing waits", altered().onOneStream()));
            case CACHE_EMPTIED -> List.of(proven(kind.advice(), "the cache kept", altered().keepingCache()));
            default -> List.of();
        };
    }

    private List<Advice> ofAStep(Finding finding) {
        Places places = Places.of(story);
        Set<Long> weights = Arrays.stream(diagnosis.evidence().lives().aliveAt(diagnosis.evidence().at()))
                .filter(block -> places.of(lives, block).phase() == StoryPhase.PLACING || lives.born(block) < 0)
                .mapToObj(lives::bytes).collect(Collectors.toSet());
        IntToLongFunction half = block -> lives.bytes(block) > SMALL && lives.born(block) >= 0
                && !weights.contains(lives.bytes(block))
                && SCALES.contains(places.of(lives, block).phase()) ? lives.bytes(block) / 2 : lives.bytes(block);
        List<Advice> advice = new ArrayList<>();
        advice.add(proven("half the batch (with twice the accumulation)",
                "half of every block of a step that has no weight's size, and of the request that failed",
                altered().scaled(half, size -> weights.contains(size) ? size : size / 2)));
        int[] made = Arrays.stream(finding.blamed().blocks())
                .filter(block -> places.of(lives, block).phase() == StoryPhase.FORWARD).toArray();
        if (made.length >= 9) {
            advice.add(recomputed(made));
        }
        return advice;
    }

    /** Of n blocks that a model made, every (root of n)th stays; the others go as soon as the next but one is there. */
    private Advice recomputed(int[] made) {
        int every = (int) Math.round(Math.sqrt(made.length));
        int[] going = new int[made.length];
        int[] until = new int[made.length];
        int count = 0;
        for (int i = 0; i + 2 < made.length; i++) {
            if (i % every != 0) {
                going[count] = made[i];
                until[count++] = lives.born(made[i + 2]);
            }
        }
        return proven("checkpointing (torch.utils.checkpoint), which computes activations again in the backward pass",
                "one of " + every + " activations kept; what the backward pass then makes again is not in the history",
                altered().letGo(Arrays.copyOf(going, count), Arrays.copyOf(until, count)));
    }

    private Advice onceForAll(Finding finding) {
        int[] chain = finding.blamed().blocks();
        long largest = Arrays.stream(chain).mapToLong(lives::bytes).max().orElse(0);
        long asked = diagnosis.evidence().asked();
        long size = Math.max(largest, asked < 2 * largest ? asked : 0);
        int first = Arrays.stream(chain).map(lives::born).filter(event -> event >= 0).min().orElse(0);
        return proven(finding.kind().advice(), "one block of the last size in place of all that followed each other",
                altered().without(chain).with(size, first, 1L << 55).scaled(lives::bytes,
                        failed -> failed == asked ? 1 : failed));
    }

    private int[] optimizers() {
        Places places = Places.of(story);
        return IntStream.range(0, lives.count())
                .filter(block -> places.of(lives, block).phase() == StoryPhase.OPTIMIZER).toArray();
    }

    /** The best of the settings that were tried, where they help. */
    private Optional<Advice> settings() {
        return tried.results().stream().filter(result -> !result.conf().equals(conf) && result.oom() == null)
                .filter(result -> limit > 0 || result.reservedPeak() < recorded.get().reservedPeak())
                .min(Comparator.comparingLong(WhatIfResult::reservedPeak).thenComparing(WhatIfResult::conf))
                .map(result -> new Advice(
                        "PYTORCH_CUDA_ALLOC_CONF=" + (result.conf().isEmpty() ? "(empty)" : result.conf()),
                        "these settings", result.allocatedPeak(), result.reservedPeak(), true,
                        recorded.get().allocatedPeak() - result.allocatedPeak()));
    }

    private Altered altered() {
        return new Altered(story, lives);
    }

    private Advice proven(String what, String how, Altered history) {
        MemorySnapshot snapshot = history.snapshot();
        WhatIfResult within = run(snapshot, limit);
        boolean enough = within.oom() == null;
        WhatIfResult result = enough ? within : run(snapshot, 0);
        return new Advice(what, how, result.allocatedPeak(), result.reservedPeak(), enough,
                recorded.get().allocatedPeak() - result.allocatedPeak());
    }

    private WhatIfResult run(MemorySnapshot snapshot, long most) {
        return new WhatIf(snapshot, most, 0).run(List.of(conf), progress).results().getFirst();
    }
}
