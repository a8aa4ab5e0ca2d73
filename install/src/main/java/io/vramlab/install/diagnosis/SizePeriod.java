package io.vramlab.install.diagnosis;

import io.vramlab.install.story.Lives;

/** Without stacks: whether the sizes of some blocks, in the order in which they came, are one pattern again and again. */
final class SizePeriod {

    /** Of the blocks so many have the size of the one a period before. */
    private static final double NEARLY_ALL = 0.95;

    private SizePeriod() {
    }

    /** The blocks of the pattern that fits best, which comes so often at least; 0 without one. */
    static int period(Lives lives, int[] blocks, int times) {
        int found = 0;
        double best = NEARLY_ALL;
        for (int period = 1; period * times <= blocks.length; period++) {
            int same = 0;
            for (int i = period; i < blocks.length; i++) {
                same += lives.bytes(blocks[i]) == lives.bytes(blocks[i - period]) ? 1 : 0;
            }
            double part = (double) same / (blocks.length - period);
            if (part > best) {
                best = part;
                found = period;
            }
        }
        return found;
    }
}
