package io.vramlab.lifetime;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * What woven code makes in place of a {@link LinkedHashSet}. Seen in reverse, its elements are left to the collector.
 *
 * @param <E>
 *            the elements
 */
public final class CountedLinkedHashSet<E> extends CountedSet<E> {

    private static final long serialVersionUID = 1L;

    private final transient LinkedHashMap<E, E> elements;

    private CountedLinkedHashSet(LinkedHashMap<E, E> elements) {
        super(elements);
        this.elements = elements;
    }

    /** Empty. */
    public CountedLinkedHashSet() {
        this(new LinkedHashMap<>());
    }

    /** Empty, with room. */
    public CountedLinkedHashSet(int capacity) {
        this(new LinkedHashMap<>(capacity));
    }

    /** Empty, with room. */
    public CountedLinkedHashSet(int capacity, float load) {
        this(new LinkedHashMap<>(capacity, load));
    }

    /** With the elements of another. */
    public CountedLinkedHashSet(Collection<? extends E> other) {
        this(new LinkedHashMap<>());
        addAll(other);
    }

    @Override
    public void addFirst(E element) {
        boolean there = contains(element);
        E kept = there ? elements.get(element) : element;
        elements.putFirst(kept, kept);
        if (!there) {
            contents().take(element);
        }
    }

    @Override
    public void addLast(E element) {
        boolean there = contains(element);
        E kept = there ? elements.get(element) : element;
        elements.putLast(kept, kept);
        if (!there) {
            contents().take(element);
        }
    }

    @Override
    public E getFirst() {
        return elements.sequencedKeySet().getFirst();
    }

    @Override
    public E getLast() {
        return elements.sequencedKeySet().getLast();
    }

    @Override
    public E removeFirst() {
        return contents().give(elements.sequencedKeySet().removeFirst());
    }

    @Override
    public E removeLast() {
        return contents().give(elements.sequencedKeySet().removeLast());
    }

    @Override
    public SequencedSet<E> reversed() {
        contents().open();
        return elements.sequencedKeySet().reversed();
    }

    @Override
    protected Object writeReplace() {
        LinkedHashSet<E> plain = new LinkedHashSet<>();
        forEach(plain::add);
        return plain;
    }
}
