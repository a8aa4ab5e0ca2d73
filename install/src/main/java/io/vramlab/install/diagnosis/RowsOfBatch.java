package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.vramlab.install.story.Lives;

/**
 * Without stacks: how many rows a batch has, tokens or pixels. What a layer makes has for each row as many values as its bias;
 * an attention's scores have for each as many as there are other rows, a number that no weight has.
 */
final class RowsOfBatch {

    /** Longer ones are matrices. */
    private static final long LONGEST_BIAS = 1 << 18;
    private static final int SHORTEST_BIAS = 64;
    private static final double MOST = 0.5;
    private static final double NEARLY = 0.9;

    private RowsOfBatch() {
    }

    /** Whether a block is no layer's result: where one number of rows explains most of the others, it has for each row as many values as no bias has. */
    static boolean areScores(Lives lives, int[] weights, int[] made, long bytes) {
        Set<Long> biases = Arrays.stream(weights).mapToObj(lives::bytes)
                .filter(bias -> bias <= LONGEST_BIAS && bias >= SHORTEST_BIAS).collect(Collectors.toSet());
        Map<Long, Long> explained = new HashMap<>();
        Map<Long, Long> sizes = new HashMap<>();
        Arrays.stream(made).mapToLong(lives::bytes).filter(size -> size != bytes)
                .forEach(size -> sizes.merge(size, size, Long::sum));
        sizes.forEach((size, sum) -> biases.stream().filter(bias -> size % bias == 0).map(bias -> size / bias)
                .forEach(rows -> explained.merge(rows, sum, Long::sum)));
        long others = sizes.values().stream().mapToLong(Long::longValue).sum();
        // pictures have other rows in every stage, and no number of rows explains most
        long most = explained.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return most >= MOST * others && explained.entrySet().stream()
                .filter(rows -> rows.getValue() >= NEARLY * most).map(Map.Entry::getKey)
                .noneMatch(rows -> bytes % rows == 0 && biases.contains(bytes / rows));
    }
}
