package io.vramlab.install.diagnosis;

import java.util.Arrays;

import io.vramlab.install.story.Lives;

/**
 * Backward passes, told by the order in which blocks go: what a forward pass saved is let go of in the reverse of the order in which it
 * was made. How many there were, how much went so, and what came since the last.
 */
final class TraitsOfReversals {

    /** What lives for fewer events is in passing. */
    private static final int LONG = 12;
    private static final int SCALAR = 512;
    /** So many in a row, one aside now and then, are a pass. */
    private static final int FEWEST = 4;
    private static final int SOON = 30;
    private static final double E_FOLDS = 3;

    private final Evidence e;
    private final Lives lives;
    private int passes;
    private long gone;
    private long goneInPasses;
    private long most;
    private int end = -1;
    private int run;
    private long bytes;
    private int was = -1;
    private boolean aside;

    private TraitsOfReversals(Evidence e) {
        this.e = e;
        lives = e.lives();
    }

    static void add(Traits to, Evidence e) {
        TraitsOfReversals reversals = new TraitsOfReversals(e);
        reversals.walk();
        reversals.put(to);
    }

    private void walk() {
        int last = -1;
        for (int block : byEnd()) {
            gone += lives.bytes(block);
            last = lives.died(block);
            if (run > 0 && block < was) {
                add(block);
                aside = false;
            } else if (run > 0 && !aside) {
                aside = true;
            } else {
                pass(last);
                run = 0;
                bytes = 0;
                aside = false;
                add(block);
            }
        }
        pass(last);
    }

    private void add(int block) {
        run++;
        bytes += lives.bytes(block);
        was = block;
    }

    private void pass(int at) {
        if (run >= FEWEST) {
            passes++;
            goneInPasses += bytes;
            most = Math.max(most, bytes);
            end = at;
        }
    }

    /** What came and went, in the order in which it went. */
    private int[] byEnd() {
        int[] ends = new int[e.at() + 1];
        Arrays.fill(ends, -1);
        for (int block = 0; block < lives.count(); block++) {
            if (lives.born(block) >= 0 && lives.died(block) <= e.at() && lives.bytes(block) > SCALAR
                    && lives.died(block) - lives.born(block) > LONG) {
                ends[lives.died(block)] = block;
            }
        }
        return Arrays.stream(ends).filter(block -> block >= 0).toArray();
    }

    private void put(Traits to) {
        int[] before = e.ledger().before();
        int[] later = e.alive(block -> Arrays.binarySearch(before, block) < 0);
        int[] since = Arrays.stream(later).filter(block -> lives.born(block) > end).toArray();
        long sum = lives.sum(since);
        to.count("reversals", passes);
        to.put("reversal-gone", Traits.part(goneInPasses, gone));
        to.put("reversal-most", Traits.part(most, e.needed()));
        to.put("reversal-now", run >= FEWEST && e.at() - end < SOON);
        to.put("reversal-since", e.share(sum));
        to.put("reversal-before", e.share(lives.sum(later) - sum));
        to.put("reversal-times", most == 0 ? 0 : Math.log1p((double) sum / most) / E_FOLDS);
        to.put("reversal-ago", end < 0 ? 1 : (double) (e.at() - end) / Math.max(1, e.at()));
        to.count("reversal-blocks-since", Arrays.stream(since).filter(block -> lives.bytes(block) > SCALAR).count());
    }
}
