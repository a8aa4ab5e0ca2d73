package io.vramlab.plan;

/** What a program was doing. */
public enum Phase {
    /** Neither of the others. */
    FORWARD,
    /** Inside of autograd's backward, which runs on a thread of its own. */
    BACKWARD,
    /** Inside of an optimizer's step. */
    OPTIMIZER
}
