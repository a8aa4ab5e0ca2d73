package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;

/** Without stacks: what tells many passes of a model, whose graphs are all there, from the one that is running. */
final class ManyPasses {

    /** Weights and blocks with less of all bytes say nothing. */
    private static final double SLIGHT = 0.01;
    private static final double PART = 0.02;
    private static final int PASSES = 8;
    /** One layer makes so many blocks of one size. */
    private static final int MOST_OF_A_LAYER = 3;
    private static final double MOSTLY = 0.8;
    /** So many at once before were a step of several passes. */
    private static final int SEVERAL = 4;
    /** A pass makes at least one block for so many weights ... */
    private static final int MOST_WEIGHTS = 4;
    /** ... and a graph keeps more than a result. */
    private static final int LEAST_OF_PASS = 3;
    private static final int OFTEN = 8;
    private static final double NEARLY_TWICE = 1.8;
    /** So many times what any turn had. */
    private static final int FAR_MORE = 4;
    /** A model's forward pass and half a backward pass ask for so much for each weight; turns enough for a leak ask for more. */
    private static final int ONE_PASS = 6;

    private ManyPasses() {
    }

    /**
     * Whether a model made this in many passes and not in one: nearly all sizes are there far more often than weights are equal, as
     * layers are; and never before were several there at once, as a step of several passes would have had.
     */
    static boolean made(Evidence e, int[] weights, int[] made) {
        int[] others = withoutState(e.lives(), weights, made);
        return areMany(e, weights, made) || others.length < made.length && areMany(e, weights, others);
    }

    private static boolean areMany(Evidence e, int[] weights, int[] made) {
        Lives lives = e.lives();
        int period = SizePeriod.period(lives, made, PASSES);
        // a layer's blocks come again as well, and are a small part of a pass: a pass makes something of every weight
        if (period * MOST_WEIGHTS >= weights.length && period >= LEAST_OF_PASS) {
            return !wereTogether(e, made, period);
        }
        // a few of them, where each is plainly a whole pass
        int whole = SizePeriod.period(lives, made, SEVERAL);
        if (2 * whole >= weights.length && whole >= LEAST_OF_PASS * OFTEN) {
            return !wereTogether(e, made, whole);
        }
        // the largest, as logits are, several times, and between two of them as many blocks as there are weights and more
        Largest largest = Largest.of(lives, made, 0);
        if (largest.groups() >= SEVERAL && weights.length >= OFTEN && made.length >= largest.groups() * weights.length
                && atOnceBefore(e, made, largest.bytes()) < SEVERAL) {
            return true;
        }
        if (isOne(e, weights)) {
            return false;
        }
        Map<Long, Integer> layers = new HashMap<>();
        Arrays.stream(weights).filter(block -> lives.bytes(block) > SLIGHT * lives.sum(weights))
                .forEach(block -> layers.merge(lives.bytes(block), 1, Integer::sum));
        Map<Long, Integer> counts = new HashMap<>();
        Arrays.stream(made).forEach(block -> counts.merge(lives.bytes(block), 1, Integer::sum));
        long sum = lives.sum(made);
        counts.entrySet().removeIf(size -> size.getKey() * size.getValue() < PART * sum);
        int most = layers.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int often = Math.max(PASSES, MOST_OF_A_LAYER * most);
        long ofPasses = 0;
        Map.Entry<Long, Integer> least = null;
        for (Map.Entry<Long, Integer> size : counts.entrySet()) {
            if (size.getValue() >= often) {
                ofPasses += size.getKey() * size.getValue();
                least = least == null || size.getValue() < least.getValue() ? size : least;
            }
        }
        if (least == null || ofPasses < MOSTLY * sum || !BlocksATurn.areSeveral(e, made)) {
            return false;
        }
        int before = atOnceBefore(e, made, least.getKey());
        return before < SEVERAL || isPile(e, before, least.getValue());
    }

    /** Whether far more are there than any of several turns had at once: no step that has been seen needs as many. */
    private static boolean isPile(Evidence e, int before, int now) {
        return e.ledger().turns() >= SEVERAL && before * FAR_MORE <= now;
    }

    /** What has no weight's size: gradients and an optimizer's state come all at once, in between; all where that is little of it. */
    private static int[] withoutState(Lives lives, int[] weights, int[] all) {
        Set<Long> ofWeights = Arrays.stream(weights).mapToObj(lives::bytes).collect(Collectors.toSet());
        int[] others = Arrays.stream(all).filter(block -> !ofWeights.contains(lives.bytes(block))).toArray();
        return 2 * lives.sum(others) >= lives.sum(all) ? others : all;
    }

    /** Whether so few requests came since the weights that they are a model's first pass: layers, not turns, left what there is. */
    static boolean isOne(Evidence e, int[] weights) {
        Lives lives = e.lives();
        int last = weights.length == 0 ? -1 : lives.born(weights[weights.length - 1]);
        long requests = IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) > last && lives.born(block) <= e.at()).count();
        return e.failed() && e.story().live(-1) == 0 && weights.length >= OFTEN && requests < ONE_PASS * weights.length;
    }

    /** Whether two passes' blocks were there at once before, and went: then these will go too, after one backward pass for all. */
    private static boolean wereTogether(Evidence e, int[] made, int period) {
        Lives lives = e.lives();
        Map<Long, Integer> ofPass = new HashMap<>();
        // the last pass is still running
        int from = (made.length - period) / 2;
        Arrays.stream(made, from, from + period)
                .forEach(block -> ofPass.merge(lives.bytes(block), 1, Integer::sum));
        Map.Entry<Long, Integer> most = ofPass.entrySet().stream()
                .max(Map.Entry.<Long, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .orElseThrow();
        int before = atOnceBefore(e, made, most.getKey());
        // of few blocks of a size a backward pass's in passing make twice as many
        return most.getValue() >= SEVERAL && before >= NEARLY_TWICE * most.getValue();
    }

    /** How many blocks of a size were there at once, at most, before the first of those that are there now. */
    private static int atOnceBefore(Evidence e, int[] made, long size) {
        Lives lives = e.lives();
        int there = 0;
        int before = 0;
        int first = Arrays.stream(made).filter(block -> lives.bytes(block) == size).min().orElse(0);
        Map<Integer, Integer> ends = new TreeMap<>();
        for (int block = 0; block < first; block++) {
            if (lives.bytes(block) == size && lives.died(block) <= e.at()) {
                ends.merge(lives.born(block), 1, Integer::sum);
                ends.merge(lives.died(block), -1, Integer::sum);
            }
        }
        for (int change : ends.values()) {
            there += change;
            before = Math.max(before, there);
        }
        return before;
    }
}
