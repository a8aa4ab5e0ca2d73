package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What woven code makes in place of an {@link ArrayDeque}: it holds its elements as a Python deque does.
 *
 * @param <E>
 *            the elements
 */
public class CountedArrayDeque<E> extends ArrayDeque<E> implements Counted {

    private static final long serialVersionUID = 1L;

    private final Contents contents = new Contents(this);

    /** Empty. */
    public CountedArrayDeque() {
        super();
    }

    /** Empty, with room. */
    public CountedArrayDeque(int capacity) {
        super(capacity);
    }

    /** With the elements of another. */
    public CountedArrayDeque(Collection<? extends E> other) {
        super(other.size());
        addAll(other);
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        contents.dropAll(Arrays.asList(super.toArray()));
    }

    @Override
    public void escapeMembers$() {
        super.forEach(Lifetimes::escape);
    }

    // the other ways to add and to remove one end in these

    @Override
    public void addFirst(E element) {
        super.addFirst(element);
        contents.take(element);
    }

    @Override
    public void addLast(E element) {
        super.addLast(element);
        contents.take(element);
    }

    @Override
    public E pollFirst() {
        return contents.give(super.pollFirst());
    }

    @Override
    public E pollLast() {
        return contents.give(super.pollLast());
    }

    @Override
    public boolean addAll(Collection<? extends E> other) {
        for (E each : other) {
            if (!(other instanceof Counted)) {
                Lifetimes.escape(each);
            }
            addLast(each);
        }
        return !other.isEmpty();
    }

    @Override
    public void clear() {
        Object[] all = super.toArray();
        super.clear();
        for (Object each : all) {
            Lifetimes.drop(each);
        }
    }

    @Override
    public boolean removeFirstOccurrence(Object element) {
        contents.open();
        return super.removeFirstOccurrence(element);
    }

    @Override
    public boolean removeLastOccurrence(Object element) {
        contents.open();
        return super.removeLastOccurrence(element);
    }

    @Override
    public boolean removeIf(Predicate<? super E> filter) {
        contents.open();
        return super.removeIf(filter);
    }

    @Override
    public boolean removeAll(Collection<?> other) {
        contents.open();
        return super.removeAll(other);
    }

    @Override
    public boolean retainAll(Collection<?> other) {
        contents.open();
        return super.retainAll(other);
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        contents.openFor(action);
        super.forEach(action);
    }

    @Override
    public Iterator<E> iterator() {
        return contents.elements(super.iterator());
    }

    @Override
    public Iterator<E> descendingIterator() {
        return contents.elements(super.descendingIterator());
    }

    @Override
    public <T> T[] toArray(IntFunction<T[]> generator) {
        return contents.array(() -> super.toArray(generator.apply(0)));
    }

    @Override
    public Spliterator<E> spliterator() {
        contents.open();
        return super.spliterator();
    }

    @Override
    public Object[] toArray() {
        return contents.array(() -> super.toArray());
    }

    @Override
    public <T> T[] toArray(T[] array) {
        return contents.array(() -> super.toArray(array));
    }

    @Override
    public ArrayDeque<E> clone() {
        contents.open();
        return super.clone();
    }
}
