package io.vramlab.install.diagnosis;

import java.util.HashMap;
import java.util.Map;

import io.vramlab.install.story.Lives;

/**
 * Without stacks: how many blocks each turn of a loop left, by how often each size is there. A result that is kept is one or two; a
 * graph keeps what every layer made.
 */
final class BlocksATurn {

    /** Sizes with less of all bytes say nothing. */
    private static final double LEAST_PART = 0.02;
    private static final int OFTEN = 8;
    private static final int SEVERAL = 3;

    private BlocksATurn() {
    }

    /** Whether there are three and more for each of the size that is there least often, though often. */
    static boolean areSeveral(Lives lives, int[] kept) {
        Map<Long, Integer> counts = new HashMap<>();
        for (int block : kept) {
            counts.merge(lives.bytes(block), 1, Integer::sum);
        }
        long sum = lives.sum(kept);
        counts.entrySet().removeIf(size -> size.getValue() < OFTEN
                || size.getKey() * size.getValue() < LEAST_PART * sum);
        int turns = counts.values().stream().mapToInt(Integer::intValue).min().orElse(1);
        return counts.values().stream().mapToInt(count -> Math.round((float) count / turns)).sum() >= SEVERAL;
    }
}
