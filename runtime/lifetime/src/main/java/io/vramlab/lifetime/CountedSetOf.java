package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What woven code gets from {@link Set#of} when one of the elements may be counted: the JDK's own set, whose elements are held as a
 * Python frozenset's.
 */
final class CountedSetOf<E> extends AbstractSet<E> implements Counted {

    private final Set<E> set;
    private final Contents contents = new Contents(this);

    private CountedSetOf(Set<E> set) {
        super();
        this.set = set;
        set.forEach(contents::take);
    }

    /** That set, which cannot change, if there is nothing to count in it. */
    static <E> Set<E> setOf(Set<E> set) {
        return set.stream().anyMatch(Contents::counts) ? new CountedSetOf<>(set) : set;
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        contents.dropAll(set);
    }

    @Override
    public void escapeMembers$() {
        set.forEach(Lifetimes::escape);
    }

    @Override
    public int size() {
        return set.size();
    }

    @Override
    public boolean contains(Object element) {
        return set.contains(element);
    }

    @Override
    public boolean remove(Object element) {
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
    public boolean removeIf(Predicate<? super E> filter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean addAll(Collection<? extends E> other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        contents.openFor(action);
        set.forEach(action);
    }

    @Override
    public Iterator<E> iterator() {
        return contents.elements(set.iterator());
    }

    @Override
    public Stream<E> stream() {
        return contents.stream(set::spliterator, set::stream);
    }

    @Override
    public Spliterator<E> spliterator() {
        contents.open();
        return set.spliterator();
    }

    @Override
    public Object[] toArray() {
        return contents.array(() -> set.toArray());
    }

    @Override
    public <T> T[] toArray(T[] array) {
        return contents.array(() -> set.toArray(array));
    }

    @Override
    public <T> T[] toArray(IntFunction<T[]> generator) {
        return contents.array(() -> set.toArray(generator.apply(0)));
    }
}
