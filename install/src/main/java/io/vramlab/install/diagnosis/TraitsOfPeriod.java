package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.vramlab.install.story.Lives;

/** The period in which sizes are asked for again, what each left, and how the largest blocks lie among the others. */
final class TraitsOfPeriod {

    private static final int SCALAR = 512;
    /** So many of the last requests are looked at. */
    private static final int LATEST = 3000;
    private static final int SHORTEST = 3;
    private static final double BETTER = 0.02;
    private static final double EQUAL = 0.98;
    private static final double REPEATS = 0.8;
    private static final int SEVERAL = 4;
    private static final double APART = 8;
    private static final double EVENLY = 0.15;

    private final Evidence e;
    private final Lives lives;
    private final int[] later;

    private TraitsOfPeriod(Evidence e) {
        this.e = e;
        lives = e.lives();
        int[] before = e.ledger().before();
        later = e.alive(block -> Arrays.binarySearch(before, block) < 0);
    }

    static void add(Traits to, Evidence e) {
        TraitsOfPeriod period = new TraitsOfPeriod(e);
        period.ofRequests(to);
        period.ofTurns(to);
        period.ofSpaces(to);
        period.ofLargest(to);
    }

    private void ofRequests(Traits to) {
        int end = lives.count();
        while (end > 0 && lives.born(end - 1) > e.at()) {
            end--;
        }
        int from = Math.max(0, end - LATEST);
        double best = 0;
        int period = 0;
        for (int lag = SHORTEST; lag <= (end - from) / SHORTEST && best <= EQUAL; lag++) {
            double match = match(from, end, lag);
            if (match > best + BETTER) {
                best = match;
                period = lag;
            }
        }
        boolean repeats = best > REPEATS;
        int last = end - period;
        int[] earlier = repeats ? Arrays.stream(later).filter(block -> block < last).toArray() : new int[0];
        int former = last - period;
        int[] left = Arrays.stream(earlier).filter(block -> block >= former).toArray();
        to.put("period-match", best);
        to.count("period", period);
        to.put("period-last", repeats ? e.share(lives.sum(later) - lives.sum(earlier)) : 0);
        to.put("period-earlier", e.share(lives.sum(earlier)));
        to.count("period-left", Arrays.stream(left).filter(block -> lives.bytes(block) > SCALAR).count());
        to.put("period-kept", Traits.part(left.length, period));
    }

    /** How much of the last two periods is equal to what was asked for a period before. */
    private double match(int from, int end, int lag) {
        int hits = 0;
        int count = 0;
        for (int i = end - 1; i - lag >= from && count < 2 * lag; i--, count++) {
            hits += lives.bytes(i) == lives.bytes(i - lag) ? 1 : 0;
        }
        return Traits.part(hits, count);
    }

    /** How many blocks a turn but for the last two left, and of how many sizes. */
    private void ofTurns(Traits to) {
        Ledger ledger = e.ledger();
        Map<Integer, List<Long>> byTurn = new HashMap<>();
        for (int block : later) {
            int turn = ledger.turn(block);
            if (turn >= 0 && turn < ledger.turns() - 1 && lives.bytes(block) > SCALAR) {
                byTurn.computeIfAbsent(turn, each -> new ArrayList<>()).add(lives.bytes(block));
            }
        }
        to.count("turn-blocks", byTurn.values().stream().mapToInt(List::size).average().orElse(0));
        to.count("turn-sizes", byTurn.values().stream().map(HashSet::new).mapToInt(Set::size).average().orElse(0));
    }

    /** Sizes that are there several times, as far from one to the next each time, or in bunches. */
    private void ofSpaces(Traits to) {
        Map<Long, List<Integer>> bySize = new HashMap<>();
        for (int block : later) {
            bySize.computeIfAbsent(lives.bytes(block), size -> new ArrayList<>()).add(lives.born(block));
        }
        double spaced = 0;
        double bunched = 0;
        for (Map.Entry<Long, List<Integer>> size : bySize.entrySet()) {
            List<Integer> born = size.getValue();
            if (born.size() >= SEVERAL) {
                double share = (double) size.getKey() * born.size() / e.needed();
                spaced += areEvenly(born) ? share : 0;
                bunched += areEvenly(born) ? 0 : share;
            }
        }
        to.put("spaced", spaced);
        to.put("bunched", bunched);
    }

    private static boolean areEvenly(List<Integer> born) {
        int count = born.size() - 1;
        double mean = (double) (born.getLast() - born.getFirst()) / count;
        double off = 0;
        for (int i = 1; i <= count; i++) {
            off += Math.abs(born.get(i) - born.get(i - 1) - mean) / count;
        }
        return mean > APART && off < EVENLY * mean;
    }

    private void ofLargest(Traits to) {
        Largest largest = Largest.of(lives, later, e.asked());
        to.count("largest-times", largest.timesOthers(lives, later, e.asked()));
        to.count("largest-groups", largest.groups());
        to.count("largest-after", largest.after());
        to.count("largest-first", largest.first());
        to.put("largest-sum", e.share(largest.sum()));
        to.put("largest-a-group", Traits.part(largest.count(), 4.0 * largest.groups()));
    }
}
