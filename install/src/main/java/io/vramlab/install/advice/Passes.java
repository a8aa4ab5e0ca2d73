package io.vramlab.install.advice;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Evidence;
import io.vramlab.install.story.Lives;

/** Which block of the next pass is the counterpart of one of this: what each pass makes at one place is counted off. */
final class Passes {

    /** Places that made less say nothing about passes. */
    private static final double SLIGHT = 0.01;

    private Passes() {
    }

    /**
     * For each block the event at which the next pass made the same; -1 for those of the last pass, and for all when there is but
     * one.
     */
    static int[] next(Evidence evidence, int[] blocks) {
        Lives lives = evidence.lives();
        Map<Long, List<Integer>> places = IntStream.range(0, blocks.length).boxed()
                .collect(Collectors.groupingBy(i -> evidence.key(blocks[i])));
        long slight = (long) (SLIGHT * lives.sum(blocks));
        int passes = places.values().stream()
                .filter(at -> at.stream().mapToLong(i -> lives.bytes(blocks[i])).sum() >= slight)
                .mapToInt(List::size).filter(count -> count > 1).min().orElse(1);
        int[] next = new int[blocks.length];
        Arrays.fill(next, -1);
        if (passes > 1) {
            for (List<Integer> at : places.values()) {
                int each = Math.max(1, Math.round((float) at.size() / passes));
                for (int i = 0; i + each < at.size(); i++) {
                    next[at.get(i)] = Math.max(0, lives.born(blocks[at.get(i + each)]));
                }
            }
        }
        return next;
    }
}
