package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Story;

/**
 * When what is in use at the decisive moment came: before the work began, or in which turn of it. Told by sizes and times alone.
 *
 * <p>
 * Of what was in use after an event, a part is still there at the decisive moment; the rest, what was in passing, goes to nearly
 * nothing where one turn ends and the next begins, however much each turn leaves behind and however its sizes differ.
 */
final class Ledger {

    /** A turn ends where so much of what usually passes is left ... */
    private static final double LOW = 0.12;
    /** ... and has begun where so much of it is there. */
    private static final double HIGH = 0.35;
    /** What usually passes: a few events, as of algorithms that are tried, have more. */
    private static final double USUALLY = 0.95;

    private final Lives lives;
    private final int at;
    private final int[] ends;
    private final int work;
    private final int[] before;

    private Ledger(Evidence e) {
        lives = e.lives();
        at = e.at();
        Story story = e.story();
        work = work(e);
        ends = ends(passing(story, e.alive()), Math.max(work, 0));
        int first = ends.length == 0 ? work : ends[0];
        before = e.alive(block -> lives.born(block) < Math.min(first, work));
    }

    static Ledger of(Evidence e) {
        return new Ledger(e);
    }

    /** The event with which work began: the first that let something go, or asked for a workspace to multiply in. */
    private static int work(Evidence e) {
        Lives lives = e.lives();
        int first = e.at() + 1;
        for (int block = 0; block < lives.count(); block++) {
            first = Math.min(first, lives.died(block));
            if (lives.born(block) >= 0 && lives.born(block) < first && WorkspaceBlocks.isOne(e, block)) {
                first = Math.min(first, lives.born(block));
            }
        }
        return first;
    }

    /** After each event what was in use and is not at the decisive moment. */
    private long[] passing(Story story, int[] alive) {
        long[] stays = new long[at + 1];
        long sum = 0;
        int next = 0;
        for (int i = -1; i <= at; i++) {
            while (next < alive.length && lives.born(alive[next]) <= i) {
                sum += lives.bytes(alive[next++]);
            }
            if (i >= 0) {
                stays[i] = Math.max(0, story.live(i) - sum);
            }
        }
        return stays;
    }

    private static int[] ends(long[] passing, int from) {
        if (from >= passing.length) {
            return new int[0];
        }
        long usual = Arrays.stream(passing, from, passing.length).sorted()
                .skip((long) ((passing.length - from - 1) * USUALLY)).findFirst().orElse(0);
        List<Integer> ends = new ArrayList<>();
        boolean high = false;
        int calm = -1;
        int first = -1;
        for (int i = from; i < passing.length; i++) {
            if (passing[i] > HIGH * usual) {
                if (!high && calm >= 0) {
                    ends.add(calm);
                }
                high = true;
                calm = -1;
                first = -1;
            } else if (passing[i] <= LOW * usual) {
                first = first < 0 ? i : first;
                calm = calm < 0 || passing[i] <= passing[calm] ? i : calm;
                high = false;
            }
        }
        // what came since the last turn ended is the running one's, though little of it passes
        if (!high && first >= 0) {
            ends.add(first);
        }
        return ends.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Turns that came to an end. */
    int turns() {
        return Math.max(0, ends.length - 1);
    }

    /** The turn in which a block came, 0 for the first; -1 for what came before. */
    int turn(int block) {
        int found = Arrays.binarySearch(ends, lives.born(block));
        return (found >= 0 ? found : -found - 1) - 1;
    }

    int[] before() {
        return before;
    }

}
