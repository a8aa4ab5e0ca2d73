package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A set that holds its elements as a Python set does. They are in a map of its own, since the JDK's sets do not tell which of two
 * equal objects they have; what is inherited stays empty.
 */
abstract class CountedSet<E> extends LinkedHashSet<E> implements Counted {

    private static final long serialVersionUID = 1L;

    private final transient Map<E, E> elements;
    private final transient Contents contents = new Contents(this);

    /** With its elements in that map, whose order it has. */
    CountedSet(Map<E, E> elements) {
        super();
        this.elements = elements;
    }

    final Contents contents() {
        return contents;
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        contents.dropAll(elements.keySet());
    }

    @Override
    public void escapeMembers$() {
        elements.keySet().forEach(Lifetimes::escape);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public boolean isEmpty() {
        return elements.isEmpty();
    }

    @Override
    public boolean contains(Object element) {
        return elements.containsKey(element);
    }

    @Override
    public boolean add(E element) {
        if (elements.containsKey(element)) {
            return false;
        }
        elements.put(element, element);
        contents.take(element);
        return true;
    }

    @Override
    public boolean remove(Object element) {
        if (!elements.containsKey(element)) {
            return false;
        }
        Lifetimes.drop(elements.remove(element));
        return true;
    }

    @Override
    public void clear() {
        List<E> all = new ArrayList<>(elements.keySet());
        elements.clear();
        all.forEach(Lifetimes::drop);
    }

    @Override
    public boolean addAll(Collection<? extends E> other) {
        boolean changed = false;
        for (E each : other) {
            if (!(other instanceof Counted)) {
                Lifetimes.escape(each);
            }
            changed |= add(each);
        }
        return changed;
    }

    @Override
    public boolean removeAll(Collection<?> other) {
        return other == this ? removed(each -> true) : removed(other::contains);
    }

    @Override
    public boolean retainAll(Collection<?> other) {
        return removed(each -> !other.contains(each));
    }

    @Override
    public boolean removeIf(Predicate<? super E> filter) {
        contents.openFor(filter);
        return removed(filter);
    }

    private boolean removed(Predicate<? super E> filter) {
        List<E> gone = new ArrayList<>();
        for (E each : elements.keySet()) {
            if (filter.test(each)) {
                gone.add(each);
            }
        }
        gone.forEach(this::remove);
        return !gone.isEmpty();
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        contents.openFor(action);
        elements.keySet().forEach(action);
    }

    @Override
    public Iterator<E> iterator() {
        return contents.elements(elements.keySet().iterator());
    }

    @Override
    public Stream<E> stream() {
        return contents.stream(elements.keySet()::spliterator, elements.keySet()::stream);
    }

    @Override
    public Spliterator<E> spliterator() {
        contents.open();
        return elements.keySet().spliterator();
    }

    @Override
    public Object[] toArray() {
        return contents.array(() -> elements.keySet().toArray());
    }

    @Override
    public <T> T[] toArray(T[] array) {
        return contents.array(() -> elements.keySet().toArray(array));
    }

    @Override
    public <T> T[] toArray(IntFunction<T[]> generator) {
        return contents.array(() -> elements.keySet().toArray(generator.apply(0)));
    }

    @Override
    public Object clone() {
        contents.open();
        return writeReplace();
    }

    /** What is written of it, one of the JDK's. */
    protected abstract Object writeReplace();
}
