package io.vramlab.memory.internal.pickle;

import java.util.AbstractList;
import java.util.RandomAccess;

/** A Python tuple: a list that cannot change and is written as a tuple again. */
public final class Tuple extends AbstractList<Object> implements RandomAccess {

    private final Object[] items;

    /** A tuple of these items. */
    public Tuple(final Object... items) {
        this.items = items.clone();
    }

    @Override
    public Object get(final int index) {
        return items[index];
    }

    @Override
    public int size() {
        return items.length;
    }
}
