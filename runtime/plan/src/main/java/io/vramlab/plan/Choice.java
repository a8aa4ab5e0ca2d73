package io.vramlab.plan;

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
    MOST
}
