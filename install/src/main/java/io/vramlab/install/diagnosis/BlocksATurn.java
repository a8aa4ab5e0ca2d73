package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.vramlab.install.story.Lives;

/**
 * Without stacks: how many blocks each turn of a loop left, by how often each size is there. A result that is kept is one or two; a
 * graph keeps what every layer made.
 */
final class BlocksATurn {

    /** Sizes with less of all bytes say nothing. */
    private static final double LEAST_PART = 0.02;
    /** A block of less than one in so many of the mean says nothing either. */
    private static final int PARTS = 50;
    private static final double COPIES = 0.9;
    private static final int OFTEN = 8;
    private static final int SEVERAL = 3;

    private BlocksATurn() {
    }

    /**
     * Whether a turn left three and more, of two sizes and more. Where turns cannot be told, whether there are three and more for
     * each of the size that is there least often, though often.
     */
    static boolean areSeveral(Evidence e, int[] kept) {
        Lives lives = e.lives();
        Ledger ledger = e.ledger();
        Set<Long> ofWeights = new HashSet<>();
        Arrays.stream(ledger.before()).forEach(block -> ofWeights.add(lives.bytes(block)));
        if (ofWeights.size() > 1 && Arrays.stream(kept).filter(block -> lives.born(block) >= 0
                && ofWeights.contains(lives.bytes(block))).count() >= COPIES * kept.length) {
            return false; // copies of the weights, or their gradients
        }
        long part = lives.sum(kept) / PARTS;
        Map<Integer, Set<Long>> sizes = new HashMap<>();
        Map<Integer, Integer> ofTurn = new HashMap<>();
        for (int block : kept) {
            if (ledger.turn(block) >= 0 && lives.bytes(block) * kept.length > part) {
                sizes.computeIfAbsent(ledger.turn(block), turn -> new HashSet<>()).add(lives.bytes(block));
                ofTurn.merge(ledger.turn(block), 1, Integer::sum);
            }
        }
        boolean told = ofTurn.size() >= OFTEN && 2 * ofTurn.size() >= ledger.turns()
                && middle(ofTurn.values().stream()) >= SEVERAL;
        return told ? middle(sizes.values().stream().map(Set::size)) > 1 : areSeveral(lives, kept);
    }

    private static int middle(Stream<Integer> counts) {
        int[] sorted = counts.mapToInt(Integer::intValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static boolean areSeveral(Lives lives, int[] kept) {
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
