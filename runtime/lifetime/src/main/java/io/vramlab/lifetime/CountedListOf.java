package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What woven code gets from {@link List#of} when one of the elements may be counted: as unchangeable as the JDK's, and it holds
 * its elements as a Python list does. Lists of anything else are the JDK's own.
 *
 * @param <E>
 *            the elements
 */
public final class CountedListOf<E> extends AbstractList<E> implements Counted, RandomAccess, Serializable {

    private static final long serialVersionUID = 1L;

    private final transient Object[] elements;
    private final transient Contents contents = new Contents(this);

    private CountedListOf(Object... elements) {
        super();
        this.elements = elements;
        for (Object each : elements) {
            contents.take(each);
        }
    }

    /** As {@code List.of(elements)}, of a copy of the array. */
    @SafeVarargs
    static <E> List<E> listOf(E... elements) {
        for (E each : elements) {
            Objects.requireNonNull(each);
        }
        return counts(elements) ? new CountedListOf<>((Object[]) elements.clone()) : List.of(elements);
    }

    /** As {@link Stream#toList} makes of the elements of a stream, among which may be null. */
    @SuppressWarnings("unchecked") // they came out of a stream of such
    static <E> List<E> listOfAny(Object... elements) {
        return (List<E>) (counts(elements)
                ? new CountedListOf<>(elements)
                : Collections.unmodifiableList(Arrays.asList(elements)));
    }

    /** Whether one of them is null, as may come out of a stream. */
    boolean hasNull() {
        return Arrays.asList(elements).contains(null);
    }

    private static boolean counts(Object... elements) {
        return Arrays.stream(elements).anyMatch(Contents::counts);
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        contents.dropAll(Arrays.asList(elements));
    }

    @Override
    public void escapeMembers$() {
        for (Object each : elements) {
            Lifetimes.escape(each);
        }
    }

    private Object writeReplace() {
        return Collections.unmodifiableList(Arrays.asList(elements));
    }

    @Override
    @SuppressWarnings("unchecked") // listOf took them as such
    public E get(int index) {
        return (E) elements[index];
    }

    @Override
    public int size() {
        return elements.length;
    }

    @Override
    public boolean contains(Object element) {
        return indexOf(element) >= 0;
    }

    @Override
    public int indexOf(Object element) {
        return Arrays.asList(elements).indexOf(Objects.requireNonNull(element));
    }

    @Override
    public int lastIndexOf(Object element) {
        return Arrays.asList(elements).lastIndexOf(Objects.requireNonNull(element));
    }

    @Override
    public boolean addAll(Collection<? extends E> other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean addAll(int index, Collection<? extends E> other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean remove(Object element) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean removeIf(Predicate<? super E> filter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean removeAll(Collection<?> other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean retainAll(Collection<?> other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        contents.openFor(action);
        super.forEach(action);
    }

    @Override
    public Iterator<E> iterator() {
        return contents.elementsRemovedByItself(super.iterator());
    }

    @Override
    public ListIterator<E> listIterator() {
        contents.open();
        return super.listIterator();
    }

    @Override
    public ListIterator<E> listIterator(int index) {
        contents.open();
        return super.listIterator(index);
    }

    @Override
    public List<E> subList(int from, int to) {
        contents.open();
        return super.subList(from, to);
    }

    @Override
    public Object[] toArray() {
        return contents.array(elements::clone);
    }

    @Override
    public <T> T[] toArray(T[] array) {
        return contents.array(() -> Arrays.asList(elements).toArray(array));
    }

    @Override
    public <T> T[] toArray(IntFunction<T[]> generator) {
        return contents.array(() -> Arrays.asList(elements).toArray(generator.apply(0)));
    }

    @Override
    public Spliterator<E> spliterator() {
        contents.open();
        return super.spliterator();
    }

    @Override
    public Stream<E> stream() {
        return contents.stream(super::spliterator, super::stream);
    }

    @Override
    public Stream<E> parallelStream() {
        contents.open();
        return super.parallelStream();
    }

    @Override
    public List<E> reversed() {
        contents.open();
        return super.reversed();
    }
}
