package io.vramlab.memory.internal.pickle;

/** A list that holds what was condensed in a form of its own: its items are single values, which need not be made to count them. */
public interface HeldApart {

    /** How many. */
    int size();
}
