package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.memory.Sizes;

/**
 * Without stacks: what the bytes of a failure are, by when they came and which sizes they have. What came before the work began are
 * weights; what has their sizes and came later are gradients, an optimizer's state or a copy; the rest is what the work makes. Each
 * byte is counted once, so one of these is the largest, and names the cause. A guess.
 */
final class SizesAlone implements Detector {

    /** Blocks with less of all say nothing about sets. */
    private static final double SLIGHT = 0.01;
    /** Of the weights' bytes so much may lack a twin. */
    private static final double ODD = 0.06;
    /** Gradients are one set; so much more is an optimizer's state. */
    private static final double MORE_THAN_GRADIENTS = 1.2;
    private static final double NEARLY_ALL_GRADIENTS = 0.85;
    /** More copies than gradients, two moments, a maximum, an average and a temporary are no sets of the weights. */
    private static final int MOST_SETS = 6;
    private static final double ALONE = 0.6;
    /** With more blocks of some size beside the largest it is a network that asks. */
    private static final int FEW = 6;
    private static final int MOST_EQUALS = 6;
    /** A block counts as one of some size when it has so much of the largest. */
    private static final int SOME = 4096;
    private static final double NEARLY_ALL = 0.75;
    private static final double STAND_OUT = 0.5;
    /** Scores and logits are so much larger than what else a layer makes. */
    private static final double LARGER = 2.9;
    private static final double SCORES_LARGER = 5;
    /** What comes in so many rows is made by layers; where no layer's weights have its width, scores need be no larger than this ... */
    private static final int LAYERS = 3;
    private static final int MOST_INPUTS = 6;
    private static final int THIRDS = 3;
    private static final double SCORES_AT_LEAST = 1.5;
    /** ... nor more of the whole. */
    private static final double MUCH = 0.35;
    /** With fewer blocks beside the largest it is an input and a result. */
    private static final int FEW_OTHERS = 4;
    /** So many of the weights have a twin where there are gradients of them all, or a state. */
    private static final double TWINS = 0.3;
    private static final double OF_BYTES = 0.1;
    private static final int SEVERAL = 4;
    /** Scores of one layer, where no other's are there: so much larger than all else. */
    private static final int FAR_LARGER = 16;
    /** Of fewer sizes each may be there an even number of times by chance. */
    private static final int SIZES_OF_LAYERS = 3;
    /** That weights alone are most of it is the cause where nothing else is. */
    private static final double LIMIT = 0.55;
    /** Of what piled up, freed meanwhile: what only makes things frees nothing. */
    private static final double PASSED = 0.15;
    /** An optimizer makes its state at its first step; a copy of the weights may come after several. */
    private static final int SEVERAL_STEPS = 6;
    /** Beside them are gradients, which come one by one. */
    private static final double OF_PAIRS = 0.5;
    private static final int ALL_THIRDS = 0b111;
    /** A vocabulary's weight is so much larger than the next smaller one. */
    private static final int VOCABULARY = 5;
    private static final long LEAST_VOCABULARY = 1 << 20;
    private static final int MOST_LOGITS = 6;
    /** Of one layer's scores: queries by keys, with a mask, as probabilities, after dropout. */
    private static final int MOST_IN_A_ROW = 4;
    /** Since half of these blocks had come so much came and went that this is more than one step ... */
    private static final double CHURN = 1.5;
    /** ... and they may be what several steps left. */
    private static final double OF_MANY_STEPS = 0.6;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.hasStacks() || !e.failed()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Ledger ledger = e.ledger();
        int[] weights = Arrays.stream(ledger.before()).filter(block -> !WorkspaceBlocks.isOne(e, block)).toArray();
        int[] later = e.alive(block -> Arrays.binarySearch(weights, block) < 0 && !WorkspaceBlocks.isOne(e, block));
        int[] sets = sets(lives, weights, later);
        // a tensor that is computed anew has its own size too, and that one alone
        boolean several = Arrays.stream(sets).mapToLong(lives::bytes)
                .filter(bytes -> bytes > SLIGHT * lives.sum(weights)).distinct().count() > 1;
        Optional<Finding> few = several ? Optional.empty() : ofFew(e);
        if (few.isPresent()) {
            return few;
        }
        boolean askedOfSet = sets.length > 0
                && Arrays.stream(weights).anyMatch(block -> lives.bytes(block) == e.asked());
        int[] made = Arrays.stream(later).filter(block -> Arrays.binarySearch(sets, block) < 0).toArray();
        long ofWork = lives.sum(made) + (askedOfSet ? 0 : e.asked());
        long ofSets = lives.sum(weights) + lives.sum(sets) + (askedOfSet ? e.asked() : 0);
        Optional<Finding> piled = sets.length == 0 ? piled(e) : Optional.empty();
        if (piled.isPresent()) {
            return piled;
        }
        return ofWork >= ofSets
                ? ofWork(e, weights, made, ofWork)
                : ofSets(e, weights, sets, ofSets, ledger.turns());
    }

    /** What came later and has the weights' sizes, when many of these have a twin in it: an activation may have one weight's size. */
    private static int[] sets(Lives lives, int[] weights, int[] later) {
        Map<Long, Integer> room = new HashMap<>();
        Arrays.stream(weights).forEach(block -> room.merge(lives.bytes(block), MOST_SETS, Integer::sum));
        int[] sets = Arrays.stream(later).filter(block -> room.merge(lives.bytes(block), -1, Integer::sum) >= 0)
                .toArray();
        Map<Long, Integer> there = new HashMap<>();
        Arrays.stream(sets).forEach(block -> there.merge(lives.bytes(block), 1, Integer::sum));
        long twins = Arrays.stream(weights).filter(block -> there.merge(lives.bytes(block), -1, Integer::sum) >= 0)
                .count();
        // of few large tensors the small ones may have twins by chance
        return twins >= TWINS * weights.length && lives.sum(sets) >= OF_BYTES * lives.sum(weights) ? sets : new int[0];
    }

    /** Hardly more than a handful of blocks: no network, but a tensor before and after, or one operation. */
    private static Optional<Finding> ofFew(Evidence e) {
        Lives lives = e.lives();
        long largest = Math.max(e.asked(), Arrays.stream(e.alive()).mapToLong(lives::bytes).max().orElse(0));
        int[] large = e.alive(block -> lives.bytes(block) > largest / SOME && !WorkspaceBlocks.isOne(e, block));
        int[] equals = Arrays.stream(large).filter(block -> Largest.areAlike(lives.bytes(block), largest)).toArray();
        boolean asks = Largest.areAlike(e.asked(), largest);
        int count = equals.length + (asks ? 1 : 0);
        long top = lives.sum(equals) + (asks ? e.asked() : 0);
        if (large.length - equals.length > FEW) {
            return Optional.empty();
        }
        // all else are weights then, whatever was converted before work began
        int[] rest = e.alive(block -> Arrays.binarySearch(equals, block) < 0 && !WorkspaceBlocks.isOne(e, block));
        boolean logits = asks && count > 1 && rest.length >= SEVERAL && equals[0] > rest[0] && count <= MOST_LOGITS
                && hasVocabulary(lives, rest, largest);
        boolean doubled = Arrays.stream(equals).filter(block -> 2 * lives.bytes(block) == e.asked())
                .count() == equals.length
                && equals.length >= 2;
        boolean alone = e.share(e.asked()) >= ALONE && equals.length == 0 || doubled;
        boolean twice = count >= 2 && count <= MOST_EQUALS && e.share(top) >= NEARLY_ALL;
        return alone || twice
                ? Optional.of(new Finding(
                        logits ? CauseKind.LOGITS : alone ? CauseKind.ONE_OPERATION : CauseKind.OLD_AND_NEW,
                        alone && e.story().failures().size() == 1 ? Certainty.LIKELY : Certainty.UNSURE, "", "",
                        alone ? e.share(e.asked()) : 0.9 * e.share(top),
                        List.of(count + (count == 1 ? " block" : " blocks") + " of about "
                                + Sizes.both(largest) + (count == 1 ? " is" : " are")
                                + " nearly all that was needed, and there are few others."),
                        Evidence.stacksWanted(), Blamed.of(equals)))
                : Optional.empty();
    }

    /** A history that was cut: blocks of sizes of which there were several before it, and that came all along. */
    private static Optional<Finding> piled(Evidence e) {
        Lives lives = e.lives();
        Map<Long, Integer> old = new HashMap<>();
        Map<Long, Integer> thirds = new HashMap<>();
        for (int block : e.alive()) {
            if (lives.born(block) < 0) {
                old.merge(lives.bytes(block), 1, Integer::sum);
            } else {
                thirds.merge(lives.bytes(block), 1 << (3L * lives.born(block) / (e.at() + 1)), (a, b) -> a | b);
            }
        }
        old.entrySet()
                .removeIf(size -> size.getValue() < SEVERAL || thirds.getOrDefault(size.getKey(), 0) != ALL_THIRDS);
        int[] kept = e.alive(block -> old.containsKey(lives.bytes(block)));
        if (e.share(lives.sum(kept)) < STAND_OUT || e.story().freed(-1, e.at()) < PASSED * lives.sum(kept)) {
            return Optional.empty();
        }
        boolean graph = BlocksATurn.areSeveral(e, kept);
        return Optional.of(new Finding(graph ? CauseKind.GRAPH_KEPT : CauseKind.TENSORS_KEPT, Certainty.UNSURE, "", "",
                e.share(lives.sum(kept)),
                List.of(Sizes.both(lives.sum(kept)) + " in " + Sizes.exact(kept.length)
                        + " blocks have sizes of which there were several when the history begins, and of which more came"
                        + " all along."),
                Evidence.stacksWanted(), Blamed.of(kept)));
    }

    private static Optional<Finding> ofSets(Evidence e, int[] weights, int[] sets, long sum, int turns) {
        Lives lives = e.lives();
        long one = lives.sum(weights);
        double more = (double) lives.sum(sets) / Math.max(1, one);
        // while nothing went the order tells, in which a second set would have followed the first
        boolean twice = e.story().freed(-1, e.at()) > 0 && areTwice(lives, weights);
        boolean ofSize = Arrays.stream(weights).anyMatch(block -> lives.bytes(block) == e.asked());
        // nearly all of it one tensor, which is there once more: a network's would have a gradient too, and two moments
        long largest = Arrays.stream(weights).mapToLong(lives::bytes).max().orElse(0);
        boolean alone = largest >= NEARLY_ALL * one && largest != e.asked()
                && Arrays.stream(sets).filter(block -> lives.bytes(block) == largest).count() == 1;
        CauseKind kind = alone
                ? CauseKind.OLD_AND_NEW
                : more >= MORE_THAN_GRADIENTS || more >= NEARLY_ALL_GRADIENTS && ofSize && !twice
                        ? turns >= SEVERAL_STEPS && !inPairs(lives, sets) ? CauseKind.TWO_SETS : CauseKind.OPTIMIZER
                        : twice ? CauseKind.TWO_SETS : CauseKind.LIMIT;
        String text = "Before the work began " + Sizes.both(one) + " were made, weights as it seems"
                + (twice ? ", two of each size" : "")
                + (sets.length == 0 ? "." : "; " + Sizes.both(lives.sum(sets)) + " of the same sizes came later.");
        boolean whole = e.story().live(-1) == 0;
        return Optional.of(new Finding(kind, whole ? Certainty.LIKELY : Certainty.UNSURE, "", "",
                (kind == CauseKind.LIMIT ? LIMIT : 0.9) * e.share(sum), List.of(text),
                Evidence.stacksWanted(), Blamed.NONE));
    }

    /** Whether most came two by two, as two moments for each weight do; a copy comes in the weights' order. */
    private static boolean inPairs(Lives lives, int[] sets) {
        int pairs = 0;
        for (int i = 0; i + 1 < sets.length; i++) {
            if (lives.bytes(sets[i]) == lives.bytes(sets[i + 1])) {
                pairs++;
                i++;
            }
        }
        return 2 * pairs >= OF_PAIRS * sets.length;
    }

    /** Whether of each size that matters there is an even number, of several sizes. */
    private static boolean areTwice(Lives lives, int[] weights) {
        Map<Long, Integer> counts = new HashMap<>();
        Arrays.stream(weights).forEach(block -> counts.merge(lives.bytes(block), 1, Integer::sum));
        long sum = lives.sum(weights);
        counts.entrySet().removeIf(size -> size.getKey() * size.getValue() < SLIGHT * sum);
        long odd = counts.entrySet().stream().filter(size -> size.getValue() % 2 != 0).mapToLong(Map.Entry::getKey)
                .sum();
        return counts.size() >= (counts.containsValue(2) ? 2 : SIZES_OF_LAYERS) && odd <= ODD * sum
                || cameTwice(lives, weights);
    }

    /** Whether all weights came in one order and then in it again, an input or two aside; not as equal layers do. */
    private static boolean cameTwice(Lives lives, int[] weights) {
        for (int inputs = 0; inputs <= MOST_INPUTS && weights.length - inputs >= 2 * MOST_SETS; inputs++) {
            int half = (weights.length - inputs) / 2;
            int[] sets = Arrays.copyOf(weights, 2 * half);
            boolean again = IntStream.range(0, half)
                    .allMatch(i -> lives.bytes(sets[i]) == lives.bytes(sets[half + i]));
            if (again && SizePeriod.period(lives, Arrays.copyOf(sets, half), 2) == 0) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Finding> ofWork(Evidence e, int[] weights, int[] made, long sum) {
        Lives lives = e.lives();
        Largest largest = Largest.of(lives, made, e.asked());
        double times = largest.timesOthers(lives, made, e.asked());
        CauseKind kind = CauseKind.ACTIVATIONS;
        boolean scores = largest.groups() >= LAYERS && largest.groups() <= mostAlike(lives, weights)
                && THIRDS * largest.first() < made.length && THIRDS * largest.after() < made.length
                && largest.count() <= MOST_IN_A_ROW * largest.groups()
                && RowsOfBatch.areScores(lives, weights, made, largest.bytes());
        if (scores && times >= SCORES_AT_LEAST && largest.sum() >= MUCH * sum) {
            kind = CauseKind.ATTENTION;
        } else if (largest.groups() == 1 && times >= FAR_LARGER && largest.count() > 1
                && largest.count() <= MOST_IN_A_ROW && largest.sum() >= STAND_OUT * sum
                && weights.length >= LAYERS * SEVERAL
                && RowsOfBatch.areScores(lives, weights, made, largest.bytes())
                && !hasVocabulary(lives, weights, largest.bytes())) {
            kind = CauseKind.ATTENTION;
        } else if (largest.groups() == 1 && made.length - largest.count() < FEW_OTHERS
                && largest.sum() >= STAND_OUT * (sum + lives.sum(weights))
                && !hasVocabulary(lives, weights, largest.bytes())) {
            kind = CauseKind.ACTIVATIONS;
        } else if (largest.sum() >= STAND_OUT * sum && times >= LARGER) {
            boolean last = Largest.areAlike(e.asked(), largest.bytes()) && largest.after() <= MOST_LOGITS
                    && largest.count() <= MOST_LOGITS;
            // a network that has made as many blocks as it has weights is at its end; targets may be as large as logits
            boolean done = hasVocabulary(lives, weights, largest.bytes())
                    ? largest.groups() == 1 || largest.groups() == 2 && largest.last() > 1
                    : largest.groups() == 1 && largest.first() >= weights.length;
            kind = last && done
                    ? CauseKind.LOGITS
                    : times >= SCORES_LARGER && largest.count() > 1
                            && largest.count() <= MOST_IN_A_ROW * largest.groups()
                                    ? CauseKind.ATTENTION
                                    : CauseKind.ACTIVATIONS;
        }
        if (ManyPasses.made(e, weights, made)) {
            kind = CauseKind.GRAPH_KEPT;
        }
        int middle = made.length == 0 ? e.at() : Math.max(0, lives.born(made[made.length / 2]));
        double weight = e.story().freed(middle, e.at()) > CHURN * lives.sum(made) && made.length > FEW
                ? OF_MANY_STEPS
                : 0.95;
        return Optional.of(
                new Finding(kind, Certainty.UNSURE, "", "", weight * e.share(sum), List.of(ofWork(made, sum, largest)),
                        Evidence.stacksWanted(), Blamed.of(made)));
    }

    private static String ofWork(int[] made, long sum, Largest largest) {
        return made.length == 0
                ? "The request that failed, " + Sizes.both(sum)
                        + ", has no weight's size, and nothing else came after the work had begun."
                : made.length + " blocks, " + Sizes.both(sum)
                        + " with the request that failed, came after the work had begun and have no weight's size; "
                        + largest.count() + " of about " + Sizes.both(largest.bytes()) + " are "
                        + Sizes.both(largest.sum()) + " of these.";
    }

    /** How many weights are equal, at most, as those of layers are; slight ones aside. */
    private static int mostAlike(Lives lives, int[] weights) {
        long slight = (long) (SLIGHT * lives.sum(weights));
        return Arrays.stream(weights).mapToLong(lives::bytes).filter(bytes -> bytes > slight).boxed()
                .collect(Collectors.groupingBy(bytes -> bytes, Collectors.counting())).values().stream()
                .mapToInt(Long::intValue).max().orElse(0);
    }

    /** Whether one weight is far larger than the others, as a vocabulary's is, and the block has whole rows of its length. */
    private static boolean hasVocabulary(Lives lives, int[] weights, long logits) {
        TreeSet<Long> sizes = new TreeSet<>();
        Arrays.stream(weights).forEach(block -> sizes.add(lives.bytes(block)));
        // an input comes last, and what the first layer makes of it is larger; after a vocabulary come smaller weights
        for (int i = weights.length - 1; i > 0 && lives.bytes(weights[i]) == sizes.getLast()
                && Arrays.stream(weights).limit(i).noneMatch(block -> lives.bytes(block) == sizes.getLast()); i--) {
            sizes.pollLast();
        }
        Long first = sizes.pollLast();
        if (first == null || first < LEAST_VOCABULARY || sizes.isEmpty() || first < VOCABULARY * sizes.last()) {
            return false;
        }
        // a bias of the width, as a normalization has it, or one of the vocabulary's length
        return sizes.stream().filter(bias -> first % bias == 0).mapToLong(bias -> Math.max(bias, first / bias))
                .anyMatch(row -> row * row > first && logits % row == 0);
    }
}
