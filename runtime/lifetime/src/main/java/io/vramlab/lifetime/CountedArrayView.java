package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What woven code gets from {@link Arrays#asList}: a view of an array, which it holds; the array counts its elements. */
final class CountedArrayView<E> extends AbstractList<E> implements Counted, RandomAccess {

    private final E[] array;
    private final Contents contents = new Contents(this);

    CountedArrayView(E[] array) {
        super();
        this.array = array;
        Lifetimes.hold(array);
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        Lifetimes.drop(array);
    }

    @Override
    public void escapeMembers$() {
        Lifetimes.escape(array);
    }

    @Override
    public E get(int index) {
        return array[index];
    }

    @Override
    public int size() {
        return array.length;
    }

    @Override
    public E set(int index, E element) {
        E old = array[index];
        Lifetimes.hold(old);
        try {
            Lifetimes.store(array, index, element);
        } finally {
            Lifetimes.unhold(old);
        }
        return old;
    }

    @Override
    public void replaceAll(UnaryOperator<E> operator) {
        contents.open();
        super.replaceAll(operator);
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
        return contents.array(() -> Arrays.copyOf(array, array.length, Object[].class));
    }

    @Override
    public <T> T[] toArray(T[] other) {
        return contents.array(() -> Arrays.asList(array).toArray(other));
    }

    @Override
    public <T> T[] toArray(IntFunction<T[]> generator) {
        return contents.array(() -> Arrays.asList(array).toArray(generator.apply(0)));
    }

    @Override
    public Spliterator<E> spliterator() {
        contents.open();
        return Arrays.spliterator(array);
    }

    @Override
    public Stream<E> stream() {
        return contents.stream(() -> Arrays.spliterator(array), () -> Arrays.stream(array));
    }

    @Override
    public Stream<E> parallelStream() {
        contents.open();
        return Arrays.stream(array).parallel();
    }

    @Override
    public List<E> reversed() {
        contents.open();
        return super.reversed();
    }
}
