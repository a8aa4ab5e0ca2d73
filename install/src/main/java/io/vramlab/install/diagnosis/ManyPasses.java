package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

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

    private ManyPasses() {
    }

    /**
     * Whether a model made this in many passes and not in one: nearly all sizes are there far more often than weights are equal, as
     * layers are; and never before were several there at once, as a step of several passes would have had.
     */
    static boolean made(Evidence e, int[] weights, int[] made) {
        Lives lives = e.lives();
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
        long size = least.getKey();
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
        return before < SEVERAL;
    }
}
