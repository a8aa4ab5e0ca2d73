package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;

/** Loops whose turns leave memory behind, and that are no steps: over weights, which are copied or get a state, and over equal layers. */
final class NoSteps {

    /** So often at least a line's blocks went before. */
    private static final int FEWEST = 4;
    /** A loss or a label beside them. */
    private static final double SLIGHT = 0.02;

    private NoSteps() {
    }

    /** Whether what is kept has weights' or gradients' sizes, and no more of each than there are of these. */
    static boolean isOneSet(Evidence e, int[] kept) {
        return isOneSet(e, kept, StoryPhase.PLACING) || isOneSet(e, kept, StoryPhase.BACKWARD);
    }

    /**
     * Whether a loop over the weights made them something each, as an optimizer written out makes its state: each line at most one
     * block for a weight, of its size or of a type of twice or half the width, and no model was called in between.
     */
    static boolean isMadeOfWeights(Evidence e, int[] kept) {
        Lives lives = e.lives();
        Map<Long, Integer> weights = new HashMap<>();
        for (int block : e.alive(block -> e.phase(block) == StoryPhase.PLACING)) {
            for (long bytes : new long[]{lives.bytes(block) / 2, lives.bytes(block), 2 * lives.bytes(block)}) {
                weights.merge(bytes, 1, Integer::sum);
            }
        }
        Map<List<Long>, Integer> made = new HashMap<>();
        Arrays.stream(kept).forEach(block -> made.merge(List.of((long) lives.site(block), lives.bytes(block)), 1,
                Integer::sum));
        int from = Arrays.stream(kept).min().orElse(0);
        int to = Arrays.stream(kept).max().orElse(0);
        return e.hasStacks() && made.entrySet().stream()
                .allMatch(line -> line.getValue() <= weights.getOrDefault(line.getKey().get(1), 0))
                && IntStream.rangeClosed(from, to).noneMatch(block -> e.phase(block) == StoryPhase.BACKWARD
                        || Evidence.OF_A_STEP.contains(e.phase(block)));
    }

    private static boolean isOneSet(Evidence e, int[] kept, StoryPhase of) {
        Lives lives = e.lives();
        Map<Long, Integer> weights = new HashMap<>();
        for (int block : e.alive(block -> e.phase(block) == of)) {
            weights.merge(lives.bytes(block), 1, Integer::sum);
        }
        Map<Long, Integer> copies = new HashMap<>();
        Arrays.stream(kept).forEach(block -> copies.merge(lives.bytes(block), 1, Integer::sum));
        long others = copies.entrySet().stream()
                .filter(size -> size.getValue() > weights.getOrDefault(size.getKey(), 0))
                .mapToLong(size -> size.getKey() * size.getValue()).sum();
        return others <= SLIGHT * lives.sum(kept);
    }

    /** Whether blocks of the same lines came and went before the loop, most of them: what makes weights makes them once. */
    static boolean wasBefore(Evidence e, int[] kept) {
        Lives lives = e.lives();
        Map<Long, Integer> went = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) < e.steps().start(0); block++) {
            if (lives.died(block) <= e.at()) {
                went.merge(e.key(block), 1, Integer::sum);
            }
        }
        long known = Arrays.stream(kept).filter(block -> went.getOrDefault(e.key(block), 0) >= FEWEST)
                .mapToLong(lives::bytes).sum();
        return 2 * known >= lives.sum(kept);
    }

    /** Without stacks: equal layers of a model repeat their requests as steps do, and there are as many equal weights. */
    static boolean areLayers(Evidence e, int whole) {
        Lives lives = e.lives();
        Map<Long, Integer> weights = new HashMap<>();
        for (int block : e.alive(block -> lives.born(block) < e.steps().start(0))) {
            weights.merge(lives.bytes(block), 1, Integer::sum);
        }
        int equal = weights.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        long requests = IntStream.range(0, lives.count()).filter(block -> lives.born(block) >= e.steps().start(0)
                && lives.born(block) < e.steps().start(whole)).count();
        return whole <= equal && requests < (long) whole * equal;
    }
}
