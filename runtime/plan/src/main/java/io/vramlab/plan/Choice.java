package io.vramlab.plan;

/** What is taken for the workspaces that a library chooses by heuristics of its own. */
enum Choice {
    /** None. */
    LEAST,
    /** What the rules expect. */
    LIKELY,
    /** The largest that was seen for all but a few layers. */
    MOST
}
