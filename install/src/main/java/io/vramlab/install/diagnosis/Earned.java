package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;

/**
 * The second piece of evidence, without which a finding is not called certain. The first is what its detector saw; the second must
 * not follow from the first, and each kind has its own.
 */
final class Earned {

    /** Leaks: so many blocks that one line made, and so much of what was needed, or it may be one step's. */
    private static final int TURNS = 6;
    private static final double MUCH = 0.5;
    /** Of a graph's bytes so much came in a model. */
    private static final double IN_MODEL = 0.5;
    /** Weights that alone do not fit are nearly all that there is. */
    private static final double WEIGHTS = 0.8;
    /** A set of weights has so many blocks of so many sizes, or equal sizes may be chance. */
    private static final int SET = 6;
    private static final int SIZES = 3;
    /** Lines that made one block each show that a step ran once. */
    private static final int ONCE = 2;
    /** An optimizer's state that is the cause is so much of what was needed. */
    private static final double STATE = 0.3;
    /** Links of a chain that grow by the same. */
    private static final double EVEN = 0.5;

    private static final Set<StoryPhase> WORK = EnumSet.of(StoryPhase.FORWARD, StoryPhase.LOSS, StoryPhase.BACKWARD,
            StoryPhase.OPTIMIZER);

    private Earned() {
    }

    /** What would have to be seen besides; empty when it was seen. */
    static String missing(Finding finding, Evidence e) {
        return switch (finding.kind()) {
            case ACTIVATIONS -> ofOneStep(finding, e);
            case TENSORS_KEPT -> leak(finding, e).isEmpty() ? results(finding, e) : leak(finding, e);
            case GRAPH_KEPT -> leak(finding, e).isEmpty() ? graph(finding, e) : leak(finding, e);
            case LIMIT -> weightsAlone(finding, e);
            case TWO_SETS -> aSet(finding, e);
            case OPTIMIZER -> state(finding, e);
            case GROWN_BY_CAT -> even(finding, e);
            default -> "";
        };
    }

    /** Earlier turns of a loop, whose graphs are kept, look the same where every line made several blocks. */
    private static String ofOneStep(Finding finding, Evidence e) {
        if (e.story().live(-1) > 0) {
            return "a history from the program's start: what was made before this step";
        }
        Lives lives = e.lives();
        Map<Integer, Long> ofSite = Arrays.stream(finding.blamed().blocks())
                .filter(block -> Evidence.OF_A_STEP.contains(e.phase(block))).mapToObj(lives::site)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return ofSite.values().stream().filter(count -> count == 1).count() >= ONCE
                ? ""
                : "the text of the loop: whether each of these lines ran for one step or for several";
    }

    private static String leak(Finding finding, Evidence e) {
        Lives lives = e.lives();
        int[] blocks = finding.blamed().blocks();
        long most = Arrays.stream(blocks).mapToObj(lives::site)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())).values().stream()
                .mapToLong(Long::longValue).max().orElse(0);
        return most < TURNS || e.share(lives.sum(blocks)) < MUCH
                ? "a longer history: this line was reached too few times, or holds too little of what was needed"
                : "";
    }

    /**
     * Results that are kept are one a turn, and none that a model only made on its way: several of one call may be its variables, which
     * an exception keeps.
     */
    private static String results(Finding finding, Evidence e) {
        Lives lives = e.lives();
        int[] blocks = finding.blamed().blocks();
        Map<List<Number>, Long> ofSite = Arrays.stream(blocks)
                .mapToObj(block -> List.<Number>of(lives.site(block), lives.bytes(block)))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long most = ofSite.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long regular = ofSite.values().stream().filter(count -> 2 * count >= most).count();
        long onItsWay = Arrays.stream(blocks).filter(block -> e.phase(block) == StoryPhase.FORWARD
                && block + 1 < lives.count() && e.phase(block + 1) == StoryPhase.FORWARD
                && e.place(block + 1).caller() == e.place(block).caller()).count();
        return regular > 1 || 2 * onItsWay > blocks.length
                ? "the text of the line: whether what it keeps has a graph, or is what an exception that was kept holds"
                : "";
    }

    private static String graph(Finding finding, Evidence e) {
        Lives lives = e.lives();
        int[] blocks = finding.blamed().blocks();
        long inModel = lives.sum(Arrays.stream(blocks).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block)))
                .toArray());
        return inModel < IN_MODEL * lives.sum(blocks)
                ? "the text of the line: whether what it keeps has a graph"
                : "";
    }

    private static String weightsAlone(Finding finding, Evidence e) {
        Lives lives = e.lives();
        boolean worked = IntStream.range(0, lives.count()).filter(block -> lives.born(block) >= 0)
                .mapToObj(e::phase).anyMatch(WORK::contains);
        return worked || e.share(lives.sum(finding.blamed().blocks()) + e.asked()) < WEIGHTS
                ? "the same program with nothing but this model in it"
                : "";
    }

    private static String aSet(Finding finding, Evidence e) {
        int[] blocks = finding.blamed().blocks();
        return blocks.length < SET || Arrays.stream(blocks).mapToLong(e.lives()::bytes).distinct().count() < SIZES
                ? "the text of the line: equal sizes of so few blocks may be chance"
                : "";
    }

    private static String state(Finding finding, Evidence e) {
        return e.share(e.lives().sum(finding.blamed().blocks()) + e.asked()) < STATE
                ? "a failure of which this explains more"
                : "";
    }

    /** What is joined piece by piece grows by equal pieces; batches of rising sizes do not. */
    private static String even(Finding finding, Evidence e) {
        Lives lives = e.lives();
        Map<Integer, Long> before = new HashMap<>();
        Map<Long, Integer> pieces = new HashMap<>();
        for (int block : Arrays.stream(finding.blamed().blocks()).sorted().toArray()) {
            Long smaller = before.put(lives.site(block), lives.bytes(block));
            if (smaller != null && lives.bytes(block) > smaller) {
                pieces.merge(lives.bytes(block) - smaller, 1, Integer::sum);
            }
        }
        int links = pieces.values().stream().mapToInt(Integer::intValue).sum();
        int most = pieces.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return most < EVEN * links ? "the text of the line: whether it joins a longer tensor to an old one" : "";
    }
}
