package io.vramlab.lifetime;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;

/**
 * What woven code makes in place of a {@link HashSet}, with its order.
 *
 * @param <E>
 *            the elements
 */
public final class CountedHashSet<E> extends CountedSet<E> {

    private static final long serialVersionUID = 1L;

    /** Empty. */
    public CountedHashSet() {
        super(new HashMap<>());
    }

    /** Empty, with room. */
    public CountedHashSet(int capacity) {
        super(new HashMap<>(capacity));
    }

    /** Empty, with room. */
    public CountedHashSet(int capacity, float load) {
        super(new HashMap<>(capacity, load));
    }

    /** With the elements of another. */
    public CountedHashSet(Collection<? extends E> other) {
        // as many places as the JDK's has, and so its order
        super(HashMap.newHashMap(Math.max(other.size(), 12)));
        addAll(other);
    }

    @Override
    protected Object writeReplace() {
        HashSet<E> plain = new HashSet<>();
        forEach(plain::add);
        return plain;
    }
}
