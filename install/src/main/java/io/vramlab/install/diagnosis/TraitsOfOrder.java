package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.vramlab.install.story.Lives;

/**
 * In which order weights came, and later what has their sizes: a copy comes in the weights' order, gradients in the reverse, two
 * moments of an optimizer side by side; of two models each size is there twice.
 */
final class TraitsOfOrder {

    private static final int SCALAR = 512;
    /** The next weight of a size, or the one after it. */
    private static final int NEXT = 2;
    /** Of more weights no period is looked for among the others. */
    private static final int MOST = 600;
    /** Equal layers follow each other too: what comes again is a third of all at least. */
    private static final int THIRDS = 3;

    private TraitsOfOrder() {
    }

    static void add(Traits to, Evidence e) {
        int[] weights = Arrays.stream(e.ledger().before()).filter(block -> !WorkspaceBlocks.isOne(e, block)).toArray();
        ofLater(to, e, weights);
        ofWeights(to, e, weights);
    }

    private static void ofLater(Traits to, Evidence e, int[] weights) {
        Lives lives = e.lives();
        Map<Long, TreeSet<Integer>> bySize = new HashMap<>();
        for (int i = 0; i < weights.length; i++) {
            bySize.computeIfAbsent(lives.bytes(weights[i]), size -> new TreeSet<>()).add(i);
        }
        int[] before = e.ledger().before();
        long up = 0;
        long down = 0;
        long pairs = 0;
        int was = -1;
        long size = -1;
        for (int block : e.alive(each -> Arrays.binarySearch(before, each) < 0
                && bySize.containsKey(lives.bytes(each)))) {
            TreeSet<Integer> there = bySize.get(lives.bytes(block));
            pairs += lives.bytes(block) == size ? size : 0;
            size = lives.bytes(block);
            Integer after = was < 0 ? null : there.higher(was);
            Integer former = was < 0 ? null : there.lower(was);
            int forth = after == null ? Integer.MAX_VALUE : after - was;
            int back = former == null ? Integer.MAX_VALUE : was - former;
            up += forth <= NEXT && forth <= back ? size : 0;
            down += back <= NEXT && back < forth ? size : 0;
            was = Math.min(forth, back) > NEXT ? there.first() : forth <= back ? after : former;
        }
        to.put("order-up", e.share(up));
        to.put("order-down", e.share(down));
        to.put("order-pairs", e.share(pairs));
    }

    private static void ofWeights(Traits to, Evidence e, int[] weights) {
        Lives lives = e.lives();
        double sum = Math.max(1, lives.sum(weights));
        Map<Long, Integer> sizes = new HashMap<>();
        Arrays.stream(weights).forEach(block -> sizes.merge(lives.bytes(block), 1, Integer::sum));
        double even = 0;
        double single = 0;
        for (Map.Entry<Long, Integer> size : sizes.entrySet()) {
            even += size.getValue() % 2 == 0 ? (double) size.getKey() * size.getValue() : 0;
            single += size.getValue() == 1 ? size.getKey() : 0;
        }
        long pairs = 0;
        for (int i = 0; i + 1 < weights.length; i++) {
            pairs += lives.bytes(weights[i]) == lives.bytes(weights[i + 1]) ? lives.bytes(weights[i]) : 0;
        }
        long largest = sizes.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
        to.put("weights-even", even / sum);
        to.put("weights-single", single / sum);
        to.put("weights-again", again(lives, weights) / sum);
        to.put("weights-pairs", pairs / sum);
        to.count("weights", weights.length);
        to.count("weights-scalars",
                Arrays.stream(weights).filter(block -> lives.bytes(block) <= SCALAR).count());
        to.count("weight-largest", sizes.getOrDefault(largest, 0));
        to.count("weight-largest-there", e.alive(block -> lives.bytes(block) == largest).length);
    }

    /** Bytes that come in the same order again. */
    private static long again(Lives lives, int[] weights) {
        int count = Math.min(weights.length, MOST);
        long most = 0;
        for (int lag = Math.max(1, (count + THIRDS - 1) / THIRDS); lag < count; lag++) {
            long bytes = 0;
            int hits = 0;
            for (int i = 0; i + lag < count; i++) {
                boolean hit = lives.bytes(weights[i]) == lives.bytes(weights[i + lag]);
                hits += hit ? 1 : 0;
                bytes += hit ? lives.bytes(weights[i]) : 0;
            }
            most = 2 * hits >= count - lag ? Math.max(most, bytes) : most;
        }
        return most;
    }
}
