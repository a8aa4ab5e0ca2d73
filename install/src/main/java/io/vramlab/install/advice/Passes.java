package io.vramlab.install.advice;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Evidence;
import io.vramlab.install.story.Lives;

/** Which block of the next pass is the counterpart of one of this: passes make the same in the same order, again and again. */
final class Passes {

    /** So much of what came must have come again, in its order. */
    private static final double AGAIN = 0.9;
    /** What one place, or one size, has less of says nothing about passes. */
    private static final double SLIGHT = 0.01;
    /** So many of the last blocks tell how long a pass is. */
    private static final int ENOUGH = 5000;

    private Passes() {
    }

    /**
     * For each block the event at which the next pass made the same; -1 for those of the last pass, and for all when there is but
     * one.
     *
     * @param blocks oldest first
     */
    static int[] next(Evidence evidence, int[] blocks) {
        Lives lives = evidence.lives();
        Map<Long, Long> bytes = new HashMap<>();
        for (int block : blocks) {
            bytes.merge(evidence.key(block), lives.bytes(block), Long::sum);
        }
        long slight = (long) (SLIGHT * lives.sum(blocks));
        int[] matter = IntStream.range(0, blocks.length).filter(i -> bytes.get(evidence.key(blocks[i])) > slight)
                .toArray();
        long[] keys = Arrays.stream(matter).mapToLong(i -> evidence.key(blocks[i])).toArray();
        int period = period(Arrays.copyOfRange(keys, Math.max(0, keys.length - ENOUGH), keys.length));
        int[] next = new int[blocks.length];
        Arrays.fill(next, -1);
        for (int i = 0; period > 0 && i + period < matter.length; i++) {
            next[matter[i]] = Math.max(0, lives.born(blocks[matter[i + period]]));
        }
        return next;
    }

    /** After how many blocks most come again; 0 for none. Layers of one pass come again too, but for the first and the last of it. */
    private static int period(long[] keys) {
        int best = 0;
        double most = AGAIN;
        for (int period = 1; 2 * period <= keys.length; period++) {
            int allowed = (int) ((1 - most) * (keys.length - period));
            int others = 0;
            for (int i = 0; others <= allowed && i + period < keys.length; i++) {
                others += keys[i] == keys[i + period] ? 0 : 1;
            }
            double again = 1 - (double) others / (keys.length - period);
            if (others <= allowed && (best == 0 || again > most)) {
                best = period;
                most = again;
            }
        }
        return best;
    }
}
