package io.vramlab.install.diagnosis;

import java.util.Arrays;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.LoopSteps;
import io.vramlab.install.story.Story;

/** What earlier turns of a loop left, how regularly, and how use rose. */
final class TraitsOfTurns {

    private static final int SCALAR = 512;
    /** Of what was needed: less is nothing. */
    private static final double SOMETHING = 0.002;
    private static final int STRETCHES = 10;
    /** The first stretches may hold the model's making. */
    private static final int MAKING = 4;
    private static final double LATE = 0.8;
    private static final int FEWEST_SCALARS = 12;

    private TraitsOfTurns() {
    }

    static void add(Traits to, Evidence e) {
        ofLedger(to, e);
        ofSteps(to, e);
        ofStretches(to, e);
        Story story = e.story();
        int at = e.at();
        to.count("churn", Traits.part(story.freed(-1, at), e.needed()));
        to.count("churn-late", Traits.part(story.freed((int) (LATE * at), at), e.needed()));
        int low = at;
        for (int i = at; i >= 0 && i > at - Math.max(STRETCHES, at / 3); i--) {
            low = story.live(i) < story.live(low) ? i : low;
        }
        to.put("low", Traits.part(story.live(low), e.needed()));
        to.put("since-low", Traits.part(story.live(at) - story.live(low), e.needed()));
    }

    private static void ofLedger(Traits to, Evidence e) {
        Ledger ledger = e.ledger();
        Lives lives = e.lives();
        int turns = ledger.turns();
        long[] left = new long[turns + 2];
        int[] before = ledger.before();
        int scalars = 0;
        for (int block : e.alive(each -> Arrays.binarySearch(before, each) < 0)) {
            left[Math.clamp(ledger.turn(block), 0, turns + 1)] += lives.bytes(block);
            scalars += lives.bytes(block) <= SCALAR ? 1 : 0;
        }
        long last = left[turns + 1] + left[turns];
        to.put("before", e.share(lives.sum(before)));
        to.count("turns", turns);
        to.put("left-earlier", e.share(Arrays.stream(left).sum() - last));
        to.put("left-last", e.share(last));
        to.count("scalars", scalars);
        to.put("scalars-a-turn", (double) scalars / Math.max(FEWEST_SCALARS, 4 * turns));
        long[] earlier = turns < 2 ? new long[0] : Arrays.copyOf(left, turns);
        to.put("turns-leaving", Traits.part(
                Arrays.stream(earlier).filter(bytes -> bytes > SOMETHING * e.needed()).count(), earlier.length));
        to.put("regular", regularity(earlier));
    }

    /** How alike some sums are, 0 to 1. */
    static double regularity(long... sums) {
        double mean = Arrays.stream(sums).average().orElse(0);
        double spread = Math.sqrt(Arrays.stream(sums).mapToDouble(bytes -> (bytes - mean) * (bytes - mean))
                .average().orElse(0));
        return mean == 0 ? 0 : mean / (mean + spread);
    }

    private static void ofSteps(Traits to, Evidence e) {
        LoopSteps steps = e.steps();
        Lives lives = e.lives();
        int whole = Math.max(0, steps.count() - 1);
        long[] left = new long[whole + 1];
        for (int block : e.alive()) {
            int step = lives.born(block) < 0 ? -1 : steps.of(lives.born(block));
            if (step >= 0) {
                left[Math.min(whole, step)] += lives.bytes(block);
            }
        }
        long[] earlier = Arrays.copyOf(left, whole);
        to.count("steps", steps.count());
        to.put("step-left", e.share(Arrays.stream(earlier).sum()));
        to.put("step-leaving", Traits.part(
                Arrays.stream(earlier).filter(bytes -> bytes > SOMETHING * e.needed()).count(), whole));
        to.put("step-last", whole == 0 ? 0 : e.share(left[whole]));
    }

    /** The history up to the moment in ten stretches. */
    private static void ofStretches(Traits to, Evidence e) {
        long[] trough = new long[STRETCHES];
        long[] peak = new long[STRETCHES];
        for (int s = 0; s < STRETCHES; s++) {
            trough[s] = Long.MAX_VALUE;
            int end = Math.min(e.at(), (int) ((long) e.at() * (s + 1) / STRETCHES));
            for (int i = (int) ((long) e.at() * s / STRETCHES); i <= end; i++) {
                trough[s] = Math.min(trough[s], e.story().live(i));
                peak[s] = Math.max(peak[s], e.story().live(i));
            }
        }
        int rises = 0;
        for (int s = MAKING; s < STRETCHES; s++) {
            rises += trough[s] > trough[s - 1] + SOMETHING * e.needed() ? 1 : 0;
        }
        to.put("rises", (double) rises / (STRETCHES - MAKING));
        to.put("risen", Traits.part(trough[STRETCHES - 1] - trough[MAKING - 1], e.needed()));
        to.put("risen-late", Traits.part(trough[STRETCHES - 1] - trough[STRETCHES - 2], e.needed()));
        to.put("peak-half", Traits.part(Arrays.stream(peak, 0, STRETCHES / 2).max().orElse(0), e.needed()));
        to.put("peak-nine", Traits.part(Arrays.stream(peak, 0, STRETCHES - 1).max().orElse(0), e.needed()));
    }
}
