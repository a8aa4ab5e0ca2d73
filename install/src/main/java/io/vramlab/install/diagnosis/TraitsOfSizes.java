package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;

/** The largest blocks, sizes that come in pairs or as the weights', and requests that grow from one to the next. */
final class TraitsOfSizes {

    private static final int PAIRS = 8;
    private static final int MANY = 6;
    /** Of what was needed: a large request. */
    private static final double LARGE = 0.04;
    private static final double LITTLE_MORE = 1.35;
    /** A chain's former block goes soon after the next has come. */
    private static final int SOON = 12;
    private static final double FEWEST = 4;
    private static final double NEAR = 0.7;
    private static final double SAME = 0.02;

    private TraitsOfSizes() {
    }

    static void add(Traits to, Evidence e) {
        Lives lives = e.lives();
        long largest = Math.max(e.asked(), Arrays.stream(e.alive()).mapToLong(lives::bytes).max().orElse(0));
        int[] big = e.alive(block -> Largest.areAlike(lives.bytes(block), largest));
        boolean asks = e.failed() && Largest.areAlike(e.asked(), largest);
        to.put("largest", e.share(largest));
        to.put("largest-all", e.share(lives.sum(big) + (asks ? e.asked() : 0)));
        to.count("largest-count", big.length);
        to.put("asked-is-largest", asks);
        ofWeights(to, e);
        ofSets(to, e);
        ofChains(to, e);
        ofRequest(to, e);
    }

    private static void ofWeights(Traits to, Evidence e) {
        Lives lives = e.lives();
        int[] before = e.ledger().before();
        Map<Long, Integer> weights = new HashMap<>();
        Arrays.stream(before).forEach(block -> weights.merge(lives.bytes(block), 1, Integer::sum));
        Map<Long, Integer> room = new HashMap<>(weights);
        long all = 0;
        long once = 0;
        for (int block : e.alive(each -> Arrays.binarySearch(before, each) < 0)) {
            all += weights.containsKey(lives.bytes(block)) ? lives.bytes(block) : 0;
            once += room.merge(lives.bytes(block), -1, Integer::sum) >= 0 ? lives.bytes(block) : 0;
        }
        long sum = lives.sum(before);
        to.count("asked-of-weight", Traits.part(e.asked(),
                Arrays.stream(before).mapToLong(lives::bytes).max().orElse(0)));
        to.put("asked-a-weight", e.failed() && weights.containsKey(e.asked()));
        to.put("of-weights-sizes", e.share(all));
        to.put("of-weights-once", Traits.part(once, sum));
        to.put("of-weights-times", Traits.part(all, 3.0 * sum));
    }

    private static void ofSets(Traits to, Evidence e) {
        Lives lives = e.lives();
        Map<Long, Integer> sizes = new HashMap<>();
        Arrays.stream(e.alive()).forEach(block -> sizes.merge(lives.bytes(block), 1, Integer::sum));
        long even = 0;
        long single = 0;
        long many = 0;
        for (Map.Entry<Long, Integer> size : sizes.entrySet()) {
            int count = size.getValue();
            long sum = size.getKey() * count;
            even += count % 2 == 0 && count <= PAIRS ? sum : 0;
            single += count == 1 ? sum : 0;
            many += count >= MANY ? sum : 0;
        }
        to.put("sizes-even", e.share(even));
        to.put("sizes-single", e.share(single));
        to.put("sizes-many", e.share(many));
        to.count("sizes", sizes.size());
        to.put("top-two", e.share(Arrays.stream(e.alive()).mapToObj(lives::bytes)
                .sorted(Comparator.reverseOrder()).limit(2).mapToLong(Long::longValue).sum()));
        Set<Long> seen = new HashSet<>();
        long anew = 0;
        long late = 0;
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            boolean first = seen.add(lives.bytes(block));
            if (2 * lives.born(block) > e.at()) {
                late += lives.bytes(block);
                anew += first ? lives.bytes(block) : 0;
            }
        }
        to.put("new-sizes", Traits.part(anew, late));
    }

    /** A line, or without stacks all of them, that asks for a little more than the last time while that is there. */
    private static void ofChains(Traits to, Evidence e) {
        Lives lives = e.lives();
        Map<Long, Integer> last = new HashMap<>();
        int large = 0;
        int links = 0;
        int same = 0;
        int both = 0;
        int gone = 0;
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            if (lives.born(block) < 0 || lives.bytes(block) < LARGE * e.needed()) {
                continue;
            }
            large++;
            Integer former = last.put(e.hasStacks() ? e.key(block) : 0L, block);
            long was = former == null ? 0 : lives.bytes(former);
            same += was == lives.bytes(block) ? 1 : 0;
            if (was > 0 && lives.bytes(block) > was && lives.bytes(block) < LITTLE_MORE * was) {
                boolean there = lives.aliveAt(former, lives.born(block));
                links++;
                both += there ? 1 : 0;
                gone += there && lives.died(former) < lives.born(block) + SOON ? 1 : 0;
            }
        }
        to.count("chain", links);
        to.put("chain-part", links / Math.max(FEWEST, large));
        to.count("chain-both", both);
        to.count("chain-gone", gone);
        to.put("large-same", same / Math.max(FEWEST, large));
    }

    private static void ofRequest(Traits to, Evidence e) {
        Lives lives = e.lives();
        long asked = e.failed() ? e.asked() : Long.MAX_VALUE;
        to.put("asked-again", e.alive(block -> lives.bytes(block) == asked).length > 0);
        to.put("asked-before", IntStream.range(0, lives.count())
                .anyMatch(block -> lives.born(block) < e.at() && lives.bytes(block) >= asked));
        to.put("asked-near", e.failed()
                && e.alive(block -> lives.bytes(block) < asked && lives.bytes(block) > NEAR * asked).length > 0);
        to.put("asked-double", e.failed() && e.alive(block -> isAbout(2.0 * lives.bytes(block), asked)
                || isAbout(lives.bytes(block) / 2.0, asked)).length > 0);
    }

    private static boolean isAbout(double bytes, long asked) {
        return Math.abs(bytes - asked) < SAME * asked;
    }
}
