package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.install.story.LoopSteps;
import io.vramlab.memory.Sizes;

/**
 * Memory that almost every step leaves behind. With a graph when a step leaves what a model made on its way, plain when it leaves
 * single tensors or copies of the weights' sizes; and no leak but one step of several parts when blocks of the same lines were
 * let go of together before.
 */
final class KeptEachStep implements Detector {

    private static final int FEWEST_STEPS = 4;
    /** A loss: the end of a graph. */
    private static final int SCALAR = 8;
    /** So many of these within the history, where what came before it shows the others. */
    private static final int FEWEST_STEPS_SEEN = 2;
    /** The share of steps that must leave something. */
    private static final double MOST_STEPS = 0.8;
    /** What grows counts for more than what it grows beside. */
    private static final double MORE = 1.2;
    /** Steps like the last went well before: not what each needs is the cause, but what they leave. */
    private static final double LEAST_OF_LEAK = 0.97;
    private static final double LEAST_SHARE = 0.1;
    /** A step that leaves nearly all it asks for makes something (layers, weights); it does not leak. */
    private static final double MAKING = 0.995;
    /** Results that a step hands on are one or two; what a graph keeps comes from more places. */
    private static final int SEVERAL = 3;
    /** Without stacks: a graph keeps so much of all that a step asks for. */
    private static final double MUCH = 0.4;
    /** ... or several sizes make so much of it each. */
    private static final double LARGE_PART = 0.1;
    /** With stacks: of what the same lines of a model asked for. */
    private static final double GRAPH_PART = 0.2;
    private static final double LEAST_WAITING = 0.3;
    /** So much of what is reserved is usually in use at the peak. */
    private static final double MOSTLY = 0.3;

    @Override
    public Optional<Finding> look(Evidence e) {
        LoopSteps steps = e.steps();
        int whole = steps.count() - 1;
        if (whole < FEWEST_STEPS_SEEN || e.isBounded()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        if (e.story().at(e.at()).waiting() > LEAST_WAITING * e.story().live(e.at())) {
            return Optional.empty(); // let go of already: another stream keeps them
        }
        int[] kept = e.alive(block -> lives.born(block) >= steps.start(0) && e.phase(block) != StoryPhase.PLACING
                && e.phase(block) != StoryPhase.OPTIMIZER && !WorkspaceBlocks.isOne(e, block)
                && steps.of(lives.born(block)) < whole);
        Set<Long> keys = new HashSet<>();
        Arrays.stream(kept).forEach(block -> keys.add(e.key(block)));
        // a history that was cut tells by the snapshot's end what was made before it
        Set<Long> sizes = new HashSet<>();
        Arrays.stream(kept).forEach(block -> sizes.add(lives.bytes(block)));
        int[] earlier = e.alive(block -> lives.born(block) < 0 && lives.site(block) == 0
                ? sizes.contains(lives.bytes(block))
                : e.hasStacks() && lives.born(block) < steps.start(0) && keys.contains(e.key(block)));
        long[] left = new long[whole];
        for (int block : kept) {
            left[steps.of(lives.born(block))] += lives.bytes(block);
        }
        if (whole < FEWEST_STEPS && whole * (long) earlier.length < (FEWEST_STEPS - whole) * (long) kept.length) {
            return Optional.empty();
        }
        long leaving = Arrays.stream(left).skip(1).filter(bytes -> bytes > 0).count();
        long sum = Arrays.stream(left).sum();
        if (leaving < MOST_STEPS * (whole - 1) || e.share(sum + lives.sum(earlier)) < LEAST_SHARE
                || sum >= MAKING * asked(e, whole) && !NoSteps.wasBefore(e, kept) && !isOfModel(e, kept)) {
            return Optional.empty();
        }
        if (!e.hasStacks() && NoSteps.areLayers(e, whole)) {
            return Optional.empty();
        }
        if (NoSteps.isOneSet(e, kept) || NoSteps.isMadeOfWeights(e, kept)) {
            return Optional.empty(); // a copy of the weights, one after another: that is no step of training
        }
        Finding finding = finding(e, kept, whole, leaving, sum, lives.sum(earlier));
        // what one step needs is no fault where nothing failed
        return finding.kind() == CauseKind.ACTIVATIONS && !e.failed() ? Optional.empty() : Optional.of(finding);
    }

    /** What is kept explains no more of what is reserved than what is in use does, where most of it is not. */
    private static double inUse(Evidence e) {
        double part = (double) e.story().live(e.at())
                / Math.max(1, e.story().mostReserved(e.story().events().size() - 1));
        return e.failed() || part >= MOSTLY ? 1 : part;
    }

    /** Whether a model's passes made most of it: what makes a model calls none. */
    private static boolean isOfModel(Evidence e, int[] kept) {
        long ofModel = e.lives().sum(Arrays.stream(kept).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block)))
                .toArray());
        return 2 * ofModel >= e.lives().sum(kept);
    }

    private static long asked(Evidence e, int whole) {
        Lives lives = e.lives();
        long asked = 0;
        for (int block = 0; block < lives.count(); block++) {
            int born = lives.born(block);
            asked += born >= e.steps().start(0) && born < e.steps().start(whole) ? lives.bytes(block) : 0;
        }
        return asked;
    }

    private static Finding finding(Evidence e, int[] kept, int whole, long leaving, long sum, long before) {
        Lives lives = e.lives();
        LoopSteps steps = e.steps();
        List<String> because = new ArrayList<>();
        because.add(leaving + " of the last " + whole + " steps (a step repeats the same requests) left memory behind: "
                + Sizes.both(sum) + " in " + Sizes.exact(kept.length) + " blocks, " + Sizes.both(sum / whole)
                + " a step on average.");
        if (before > 0) {
            because.add(Sizes.both(before)
                    + " more were there before these steps, made by the same lines or, before the history, of the same sizes.");
        }
        CauseKind kind = CauseKind.TENSORS_KEPT;
        // that it grows is plain without stacks too; what it is that grows is not
        Certainty certainty = e.hasStacks() ? Certainty.SURE : Certainty.UNSURE;
        String surer = e.hasStacks() ? "" : Evidence.stacksWanted();
        boolean graph = graph(e, kept, (double) sum / asked(e, whole));
        if (OneStep.goesTogether(e, kept)) {
            kind = e.hasStacks() && graph && OneStep.hasInputs(e, kept, whole)
                    ? CauseKind.ACCUMULATION
                    : CauseKind.ACTIVATIONS;
            certainty = e.hasStacks() ? Certainty.LIKELY : Certainty.UNSURE;
            because.add("Blocks of the same " + (e.hasStacks() ? "lines" : "sizes")
                    + " piled up at other times too and were let go of together: what was there is one larger step's.");
        } else if (graph && before <= sum && OneStep.isRecurrence(e, kept, whole)) {
            kind = CauseKind.ACTIVATIONS;
            certainty = Certainty.LIKELY;
            surer = "the line of the backward pass: for how many turns of this loop it is called once";
            because.add("The turns had no input but the result of the turn before, which began with a block of the same"
                    + " size, and no backward pass ran in between: one recurrence, whose graph one pass needs.");
        } else if (graph && OneStep.isSecondOrder(e, kept, whole)) {
            kind = CauseKind.ACCUMULATION;
            certainty = Certainty.LIKELY;
            surer = "the line of the last backward pass: for how many turns of this loop it is called once";
            because.add(
                    "Each turn's backward pass left more than gradients, as with create_graph=True, and no optimizer's step"
                            + " came in between: one backward pass through all of them was to come.");
        } else if (graph) {
            kind = CauseKind.GRAPH_KEPT;
            because.add(
                    "What is left of a step are several blocks that a model made on its way to its result, as a graph keeps"
                            + " them for a backward pass.");
        } else {
            because.add(e.hasStacks()
                    ? "What is left of a step are single results, not what a model made on its way to them."
                    : "What is left of a step are few blocks, or of the weights' sizes.");
        }
        boolean leak = kind == CauseKind.TENSORS_KEPT || kind == CauseKind.GRAPH_KEPT;
        int[] ofModel = Arrays.stream(kept).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block))).toArray();
        int[] lined = kind == CauseKind.GRAPH_KEPT && ofModel.length > 0 ? ofModel : kept;
        String outer = e.chiefLine(lined, true);
        String inner = e.chiefLine(lined, false);
        boolean single = kind == CauseKind.TENSORS_KEPT;
        int[] until = Arrays.stream(kept).map(block -> steps.end(steps.of(lives.born(block)))).toArray();
        return new Finding(kind, certainty, single ? inner : outer, single || inner.equals(outer) ? "" : inner,
                (leak
                        ? Math.max(ScatteredCache.isAmple(e) ? 0 : LEAST_OF_LEAK, MORE * e.share(sum + before))
                        : e.share(sum)) * inUse(e),
                because, surer, kind == CauseKind.ACTIVATIONS ? Blamed.of(kept) : new Blamed(kept, until));
    }

    /** How many call sites of a model some blocks of the last whole step have. */
    private static long passed(Evidence e, int[] blocks) {
        int from = e.steps().start(e.steps().count() - 2);
        int to = e.steps().start(e.steps().count() - 1);
        return Arrays.stream(blocks).filter(block -> e.lives().born(block) >= from && e.lives().born(block) < to
                && e.phase(block) == StoryPhase.FORWARD).map(e.lives()::site).distinct().count();
    }

    /** Whether of all that a model asked for within the steps so much stays as a graph keeps; results alone are less. */
    private static boolean keepsMuch(Evidence e, int[] kept) {
        Lives lives = e.lives();
        int[] ofModel = Arrays.stream(kept).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block))).toArray();
        Set<String> lines = new HashSet<>();
        Arrays.stream(ofModel).forEach(block -> lines.add(e.place(block).outer()));
        int end = e.steps().start(e.steps().count() - 1);
        int[] asked = IntStream.range(0, lives.count()).filter(block -> lives.born(block) >= e.steps().start(0)
                && lives.born(block) < end && Evidence.OF_A_STEP.contains(e.phase(block))
                && lines.contains(e.place(block).outer())).toArray();
        return ofModel.length > 0 && lives.sum(ofModel) >= GRAPH_PART * lives.sum(asked);
    }

    /** Whether steps leave what lies between a model's input and its result. */
    private static boolean graph(Evidence e, int[] kept, double part) {
        Lives lives = e.lives();
        Set<Long> sizesOfWeights = new HashSet<>();
        // what repeats may begin within the first step
        int oneStep = e.steps().start(1) - e.steps().start(0);
        // without stacks what was kept before this loop is told from weights by these having come before anything went
        int firstEnd = e.hasStacks()
                ? Integer.MAX_VALUE
                : IntStream.range(0, lives.count()).map(lives::died).min().orElse(0);
        for (int block : e.alive()) {
            if (lives.born(block) < Math.min(firstEnd, e.steps().start(0) - oneStep)) {
                sizesOfWeights.add(lives.bytes(block));
            }
        }
        if (!e.hasStacks()) {
            Set<Long> before = new HashSet<>();
            Arrays.stream(e.ledger().before()).forEach(block -> before.add(lives.bytes(block)));
            Set<Long> ofKept = new HashSet<>();
            Arrays.stream(kept).forEach(block -> ofKept.add(lives.bytes(block)));
            // an activation may have one weight's size; a copy of the weights has them all
            if (before.stream().filter(ofKept::contains).count() >= MOST_STEPS * before.size()) {
                sizesOfWeights.addAll(before);
            }
        }
        long copies = Arrays.stream(kept).filter(block -> sizesOfWeights.contains(lives.bytes(block))).count();
        if (e.hasStacks()) {
            int whole = e.steps().count() - 1;
            Map<Integer, Integer> ofSite = new HashMap<>();
            Arrays.stream(kept).forEach(block -> ofSite.merge(lives.site(block), 1, Integer::sum));
            long regular = ofSite.values().stream().filter(count -> 2 * count >= whole).count();
            // one call of a recurrent layer makes several blocks, each of its own size
            regular = Math.max(regular,
                    Arrays.stream(kept).mapToObj(block -> List.of(lives.site(block), lives.bytes(block)))
                            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())).values()
                            .stream()
                            .filter(count -> 2 * count >= whole).count());
            boolean layers = Arrays.stream(kept).anyMatch(block -> ofSite.get(lives.site(block)) >= 2 * whole
                    && Evidence.OF_A_STEP.contains(e.phase(block)) && !e.place(block).library().isEmpty());
            // a cache of keys and values keeps one of the several things that each layer makes
            layers &= passed(e, kept) > 1 || passed(e, IntStream.range(0, lives.count()).toArray()) == 1;
            return keepsMuch(e, kept) && (regular >= SEVERAL || layers && copies < 0.9 * kept.length);
        }
        Map<Long, Long> bySize = new HashMap<>();
        Arrays.stream(kept).forEach(block -> bySize.merge(lives.bytes(block), lives.bytes(block), Long::sum));
        long large = bySize.values().stream().filter(bytes -> bytes >= LARGE_PART * lives.sum(kept)).count();
        return copies < 0.9 * kept.length && !areInputsOfLayers(e, kept)
                && (part >= MUCH && bySize.size() >= 2 || large >= SEVERAL || BlocksATurn.areSeveral(e, kept));
    }

    /**
     * Without stacks: whether a backward pass ran in every turn, which lets go of its graph, and a turn left no more than one block for
     * each two weights, a layer's matrix and its bias: a graph has an input for each layer, and an end.
     */
    private static boolean areInputsOfLayers(Evidence e, int[] kept) {
        Lives lives = e.lives();
        int[] weights = Arrays.stream(e.ledger().before()).filter(block -> !WorkspaceBlocks.isOne(e, block)).toArray();
        int whole = e.steps().count() - 1;
        Map<Long, Integer> went = new HashMap<>();
        Arrays.stream(weights).forEach(block -> went.put(lives.bytes(block), 0));
        IntStream.range(0, lives.count()).filter(block -> lives.born(block) >= e.steps().start(0)
                && lives.born(block) < e.steps().start(whole) && lives.died(block) <= e.at())
                .forEach(block -> went.computeIfPresent(lives.bytes(block), (bytes, count) -> count + 1));
        long gradients = went.values().stream().filter(count -> count >= MOST_STEPS * whole).count();
        long ofLayers = Arrays.stream(weights).filter(block -> went.get(lives.bytes(block)) >= MOST_STEPS * whole)
                .count();
        return went.size() >= SEVERAL && gradients >= MOST_STEPS * went.size()
                && 2 * Math.round((double) kept.length / whole) <= ofLayers
                && 2 * Arrays.stream(kept).filter(block -> lives.bytes(block) <= SCALAR).count() < whole;
    }
}
