package io.vramlab.plan;

import java.util.Random;

/** What is counted where a library decides: what the rules expect, the bounds, or a quarter of the way to them. */
enum Choice {
    /** What the rules expect. */
    LIKELY,
    /** The least that it may be. */
    LEAST,
    /** Somewhat less than expected. */
    LESS,
    /** Somewhat more. */
    MORE,
    /** The most that was seen. */
    MOST,
    /** One of these five for each layer by itself, as a library chooses; four times otherwise. */
    APART_1, APART_2, APART_3, APART_4;

    private static final int ALIKE = 5;
    private static final int QUARTER = 4;

    /** Whether it is a different one of the others from layer to layer. */
    boolean isApart() {
        return ordinal() >= ALIKE;
    }

    /** What is counted of three sizes. */
    long of(long least, long likely, long most) {
        return switch (at(least, likely, most)) {
            case LEAST -> least;
            case LESS -> likely - (likely - Math.min(least, likely)) / QUARTER;
            case LIKELY -> likely;
            case MORE -> likely + (Math.max(likely, most) - likely) / QUARTER;
            default -> Math.max(likely, most);
        };
    }

    /** What counts for sizes that may be between these bounds: the same for the same ones. */
    private Choice at(long least, long likely, long most) {
        return isApart()
                ? values()[new Random(31 * (31 * (31 * least + likely) + most) + ordinal()).nextInt(ALIKE)]
                : this;
    }
}
