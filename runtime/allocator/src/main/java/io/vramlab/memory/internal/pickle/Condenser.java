package io.vramlab.memory.internal.pickle;

import java.util.List;

/** Makes something smaller of dictionaries as soon as they are read, so that a file may be larger than the heap. */
public interface Condenser {

    /**
     * What takes a dictionary's place.
     *
     * @param items
     *            its keys and values in turn
     * @return null to leave it a dictionary
     * @throws IllegalArgumentException
     *             if it is no such dictionary: one line
     */
    Object dictionary(List<Object> items);

    /**
     * What takes a flat dictionary's place.
     *
     * @param dictionary
     *            is used again for the next one
     * @return the same as {@link #dictionary} for its items; null to have it read as any other
     * @throws IllegalArgumentException
     *             if it is no such dictionary: one line
     */
    Object flat(FlatDictionary dictionary);

    /**
     * What takes the place, for later references, of a list that a condensed dictionary held.
     *
     * @param list
     *            as it was read
     */
    Object list(List<Object> list);

    /**
     * Whether {@link #holderOf} has a holder for lists that begin with this.
     *
     * @param item
     *            a condensed dictionary
     */
    boolean isHeldApart(Object item);

    /**
     * What holds the items of a list whose first one is this; null for a plain list.
     *
     * @param first
     *            a condensed dictionary
     */
    List<Object> holderOf(Object first);
}
