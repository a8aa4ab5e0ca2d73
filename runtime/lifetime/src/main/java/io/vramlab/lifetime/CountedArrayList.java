package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What woven code makes in place of an {@link ArrayList}: it holds its elements as a Python list does. Whoever wants a
 * view, a stream or an array of it gets one, and from then on its elements are the collector's.
 *
 * @param <E>
 *            the elements
 */
public class CountedArrayList<E> extends ArrayList<E> implements Counted {

    private static final long serialVersionUID = 1L;

    private final Contents contents = new Contents(this);

    /** Empty. */
    public CountedArrayList() {
        super();
    }

    /** Empty, with room. */
    public CountedArrayList(int capacity) {
        super(capacity);
    }

    /** With the elements of another. */
    public CountedArrayList(Collection<? extends E> other) {
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
        for (int i = 0; i < size(); i++) {
            Lifetimes.escape(get(i));
        }
    }

    @Override
    public boolean add(E element) {
        contents.take(element);
        return super.add(element);
    }

    @Override
    public void add(int index, E element) {
        super.add(index, element);
        contents.take(element);
    }

    @Override
    public void addLast(E element) {
        add(element);
    }

    @Override
    public void addFirst(E element) {
        add(0, element);
    }

    @Override
    public boolean addAll(Collection<? extends E> other) {
        return addAll(size(), other);
    }

    @Override
    public boolean addAll(int index, Collection<? extends E> other) {
        // each by each: an array of them would be a place that nobody counts
        List<E> elements = new ArrayList<>(other.size());
        for (E each : other) {
            elements.add(each);
        }
        elements.forEach(each -> contents.takeFrom(other, each));
        return super.addAll(index, elements);
    }

    @Override
    public E set(int index, E element) {
        contents.take(element);
        return contents.give(super.set(index, element));
    }

    @Override
    public E remove(int index) {
        return contents.give(super.remove(index));
    }

    @Override
    public E removeFirst() {
        return contents.give(super.removeFirst());
    }

    @Override
    public E removeLast() {
        return contents.give(super.removeLast());
    }

    @Override
    public boolean remove(Object element) {
        int at = indexOf(element);
        if (at >= 0) {
            Lifetimes.drop(super.remove(at));
        }
        return at >= 0;
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
    public boolean removeIf(Predicate<? super E> filter) {
        List<E> gone = new ArrayList<>();
        boolean removed = super.removeIf(each -> {
            boolean matches = filter.test(each);
            if (matches) {
                gone.add(each);
            }
            return matches;
        });
        gone.forEach(Lifetimes::drop);
        return removed;
    }

    @Override
    public boolean removeAll(Collection<?> other) {
        return removeIf(other::contains);
    }

    @Override
    public boolean retainAll(Collection<?> other) {
        return removeIf(each -> !other.contains(each));
    }

    @Override
    protected void removeRange(int from, int to) {
        contents.open();
        super.removeRange(from, to);
    }

    @Override
    public void replaceAll(UnaryOperator<E> operator) {
        for (int i = 0; i < size(); i++) {
            E old = get(i);
            E element = operator.apply(old);
            contents.take(element);
            super.set(i, element);
            Lifetimes.drop(old);
        }
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
        return contents.array(() -> super.toArray());
    }

    @Override
    public <T> T[] toArray(T[] array) {
        return contents.array(() -> super.toArray(array));
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

    @Override
    public Object clone() {
        contents.open();
        return super.clone();
    }
}
