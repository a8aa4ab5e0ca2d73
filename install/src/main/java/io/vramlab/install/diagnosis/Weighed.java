package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.StoryPhase;

/**
 * Which of the findings is the verdict, and how sure: the one that is most probable by {@link Weights}. Detectors say where and why;
 * which of them is right is weighed by histories whose causes are known.
 */
final class Weighed {

    /** What a detector found is so many times as probable as what none found, beside what both are weighed by. */
    private static final double FOUND = 1.5;
    /** What none found is the verdict only from here on. */
    private static final double LEAST_UNFOUND = 0.3;
    /** What needs less of the room, in pieces or not, did not meet the limit. */
    private static final double AMPLE = 0.75;
    /** Above it no verdict of a set that was left out was wrong, of those that {@link Rivals} call certain. */
    private static final double SURE = 0.95;
    /** Nine in ten were right above it, and hardly more than half below. */
    private static final double LIKELY = 0.5;
    /** A cause so nearly as probable as the verdict is told after it, found or not. */
    private static final double NEARLY = 0.5;
    /** Where nothing failed only these are a fault though there was room for all: they cost time, or room that nothing of the program's has. */
    private static final Set<CauseKind> COSTS = Set.of(CauseKind.CACHE_EMPTIED, CauseKind.WARM_UP, CauseKind.WORKSPACE,
            CauseKind.STREAMS, CauseKind.GRAPHS);
    /** What runs out is none where a healthy program is so probable, and {@link #RATHER} so many times as probable as that. */
    private static final double HEALTHY = 0.5;
    private static final double RATHER = 2;
    /** A graph of each step that stays is told of a program that ended unless its history is so surely a healthy one's. */
    private static final double SURELY = 0.95;
    /** Where nothing failed what stays, and what came once at the beginning, is no fault: it had room, and needs no more later. */
    private static final Set<CauseKind> STAYS = Set.of(CauseKind.TWO_SETS, CauseKind.CHECKPOINT, CauseKind.OPTIMIZER,
            CauseKind.WARM_UP);
    private static final Set<CauseKind> OF_A_MODEL = Set.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS,
            CauseKind.ATTENTION, CauseKind.GRAPH_KEPT,
            CauseKind.ACCUMULATION);

    private final Evidence e;
    /** By the history alone. */
    private final Map<CauseKind, Double> alone;
    private final SourceOdds source;
    private final Map<CauseKind, Double> probabilities;

    private Weighed(Evidence e, Map<CauseKind, Double> alone) {
        this.e = e;
        this.alone = alone;
        source = SourceOdds.of(e);
        probabilities = with(source, alone);
        byHolders();
    }

    /** Two causes leave memory in pieces, and what lies in between tells which of them it was: the other's probability is its. */
    private void byHolders() {
        List<HeldSegments.Held> held = e.failed() ? HeldSegments.of(e.story().at(e.at())) : List.of();
        if (HeldSegments.areTold(held, e.at())) {
            boolean alike = HeldSegments.areAlike(held);
            CauseKind told = alike ? CauseKind.FRAGMENTATION_PINNED : CauseKind.FRAGMENTATION_SIZES;
            CauseKind other = alike ? CauseKind.FRAGMENTATION_SIZES : CauseKind.FRAGMENTATION_PINNED;
            probabilities.merge(told, probability(other), Double::sum);
            probabilities.put(other, 0.0);
        }
    }

    private static Map<CauseKind, Double> with(SourceOdds source, Map<CauseKind, Double> alone) {
        Map<CauseKind, Double> probabilities = new EnumMap<>(CauseKind.class);
        alone.forEach((kind, probability) -> probabilities.put(kind,
                probability * Math.exp(source.weighed(kind))));
        double all = probabilities.values().stream().mapToDouble(Double::doubleValue).sum();
        probabilities.replaceAll((kind, weight) -> weight / all);
        return probabilities;
    }

    /** The findings, the verdict first. */
    static List<Finding> of(List<Finding> found, Finding healthy, Evidence e, Map<String, Double> traits) {
        return new Weighed(e, Weights.probabilities(found, traits)).sorted(found, healthy);
    }

    private List<Finding> sorted(List<Finding> found, Finding healthy) {
        List<Finding> candidates = new ArrayList<>(found);
        if (!e.failed() && found.stream().noneMatch(finding -> finding.kind() == CauseKind.HEALTHY)) {
            candidates.add(healthy);
        }
        Set<CauseKind> kinds = candidates.stream().map(Finding::kind).collect(Collectors.toSet());
        CauseKind first = first(found, kinds);
        Finding verdict = candidates.stream().filter(finding -> finding.kind() == first).findFirst()
                .orElseGet(() -> first == CauseKind.HEALTHY ? healthy : unfound(first));
        List<Finding> others = new ArrayList<>(found);
        others.remove(verdict);
        CauseKind next = probabilities.keySet().stream().filter(kind -> kind != first && kind != CauseKind.HEALTHY)
                .max(Comparator.comparingDouble(this::probability)).orElse(first);
        if (e.failed() && !kinds.contains(next) && probability(next) >= NEARLY * probability(first)) {
            others.add(unfound(next));
        }
        others.sort(Comparator.comparingDouble((Finding finding) -> probability(finding.kind())).reversed());
        List<Finding> all = new ArrayList<>();
        all.add(sure(verdict, next));
        others.forEach(other -> all.add(first == CauseKind.HEALTHY ? with(other, Certainty.UNSURE) : other));
        return all;
    }

    /**
     * Of a program that ended it is what the detectors say, but for what runs out where the history looks like a healthy program's: there
     * was room for all of it. Weighing all kinds was right no more often there, and called leaks that fit nothing.
     */
    private CauseKind first(List<Finding> found, Set<CauseKind> kinds) {
        if (!e.failed()) {
            return found.stream().filter(finding -> !source.denies(finding) && !isDoubted(finding.kind()))
                    .map(Finding::kind).findFirst().orElse(CauseKind.HEALTHY);
        }
        if (WentOn.isUnharmed(e)) {
            return CauseKind.HEALTHY;
        }
        boolean ample = e.needed() < AMPLE * Figures.room(e.story(), e.at());
        return probabilities.keySet().stream().filter(kind -> kinds.contains(kind) || canBeUnfound(kind))
                .filter(kind -> kind != CauseKind.LIMIT || !ample)
                .max(Comparator.comparingDouble(kind -> probability(kind) * (kinds.contains(kind) ? FOUND : 1)))
                .orElse(CauseKind.LIMIT);
    }

    private boolean isDoubted(CauseKind kind) {
        double fits = probability(CauseKind.HEALTHY) + (e.program().isUnknown()
                ? probability(CauseKind.WARM_UP)
                : COSTS.stream().mapToDouble(this::probability).sum()); // a source may say that it costs something
        boolean scattered = kind == CauseKind.FRAGMENTATION_SIZES || kind == CauseKind.FRAGMENTATION_PINNED;
        // what a cache holds for nothing, and was never asked to give back, may be a fault; and so is a graph of each step that stays
        boolean told = COSTS.contains(kind)
                || kind == CauseKind.GRAPH_KEPT && fits < SURELY
                || scattered && e.story().flushes().isEmpty();
        return STAYS.contains(kind)
                || !told && fits >= Math.max(HEALTHY, RATHER * probability(kind));
    }

    /** What a model's layer asks for is its pass's, unless it stands alone in most histories that look so. */
    private boolean canBeUnfound(CauseKind kind) {
        boolean ofLayer = kind == CauseKind.ONE_OPERATION && e.failingPlace().phase() == StoryPhase.FORWARD;
        return kind != CauseKind.HEALTHY && probability(kind) >= (ofLayer ? LIKELY : LEAST_UNFOUND);
    }

    private double probability(CauseKind kind) {
        return probabilities.getOrDefault(kind, 0.0);
    }

    private Finding sure(Finding verdict, CauseKind next) {
        double probability = probability(verdict.kind());
        boolean sure = verdict.certainty() == Certainty.SURE && e.failed()
                && Math.min(probability, alone.getOrDefault(verdict.kind(), 0.0)) >= SURE;
        Finding told = with(verdict, sure
                ? Certainty.SURE
                : probability >= LIKELY ? Certainty.LIKELY : Certainty.UNSURE);
        return sure || !e.failed() || probability(next) < NEARLY * probability
                ? told
                : Apart.of(verdict.kind(), next).map(look -> apart(told, next, look)).orElse(told);
    }

    /** Two are nearly as probable: what tells them apart is worth more than a longer history. */
    private static Finding apart(Finding told, CauseKind next, String look) {
        return new Finding(told.kind(), told.certainty(), told.line(), told.within(), told.share(), told.because(),
                Apart.question(next) + look, told.blamed());
    }

    private Finding with(Finding finding, Certainty certainty) {
        String surer = certainty == Certainty.SURE || !finding.surer().isEmpty()
                ? finding.surer()
                : e.hasStacks()
                        ? "the same program with a longer history: " + (e.program().isUnknown()
                                ? "of those of known causes that look so, " + percent(finding)
                                        + " in 100 were of this one"
                                : "by this one and the source it is " + percent(finding) + " % probable")
                        : Evidence.stacksWanted();
        return new Finding(finding.kind(), certainty, finding.line(), finding.within(), finding.share(),
                because(finding), surer, finding.blamed());
    }

    /** Never all: histories that are not known may look so too. */
    private long percent(Finding finding) {
        return Math.min(99, Math.round(100 * probability(finding.kind())));
    }

    /** What the source says comes first: a reader can look there at once. */
    private List<String> because(Finding finding) {
        return Stream.concat(source.reason(finding.kind()).stream(), finding.because().stream()).toList();
    }

    /** What the figures say though no detector saw it: by the line that made most of what it would be about. */
    private Finding unfound(CauseKind kind) {
        int[] before = e.ledger().before();
        int[] made = e.alive(block -> Arrays.binarySearch(before, block) < 0
                && (!OF_A_MODEL.contains(kind) || !e.hasStacks() || Evidence.OF_A_STEP.contains(e.phase(block))));
        String ofMade = e.chiefLine(made, true);
        String warm = kind == CauseKind.WARM_UP ? TraitsOfLines.warmUp(e) : "";
        boolean ofRequest = kind == CauseKind.ONE_OPERATION || kind == CauseKind.OLD_AND_NEW || ofMade.isEmpty();
        String line = !warm.isEmpty() ? warm : ofRequest ? e.failingPlace().inner() : ofMade;
        return new Finding(kind, Certainty.UNSURE, line, "", e.share(e.lives().sum(made)),
                List.of("Most histories of known causes that look so were of this one, though no single step shows it."),
                "", Blamed.of(made));
    }
}
