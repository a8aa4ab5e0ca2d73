package io.vramlab.install.diagnosis;

import java.util.HashMap;
import java.util.Map;

import io.vramlab.install.story.Lives;

/** What one line asked for in a row, by itself or by a model that it calls: turns of a loop on that line, where all of it comes again and again. */
final class OneLineLoop {

    /** No loop. */
    static final long NONE = 0;

    private static final int FEWEST = 6;
    /** A layer may ask twice for the same. */
    private static final int LAYERS = 2;

    private OneLineLoop() {
    }

    /**
     * What the first block of every turn has in common, of the blocks from one number to another; {@link #NONE} where some came
     * seldom, or no more often than equal layers repeat.
     */
    static long begins(Lives lives, int from, int to, int mostLayers) {
        int fewest = Math.max(FEWEST, LAYERS * mostLayers + 1);
        if (to - from < fewest) {
            return NONE;
        }
        Map<Long, Integer> counts = new HashMap<>();
        for (int block = from; block < to; block++) {
            counts.merge(key(lives, from, to, block), 1, Integer::sum);
        }
        // of the last turn, which was not finished, some is missing
        boolean all = counts.values().stream().allMatch(count -> count >= fewest);
        return all && counts.size() > 1 ? key(lives, from, to, from) : NONE;
    }

    /** A block's call site, or its size where the line's blocks all have one site. */
    static long key(Lives lives, int from, int to, int block) {
        boolean one = lives.site(from) == lives.site(to - 1) && lives.site(from) == lives.site((from + to) / 2);
        return one ? lives.bytes(block) : -1L - lives.site(block);
    }
}
