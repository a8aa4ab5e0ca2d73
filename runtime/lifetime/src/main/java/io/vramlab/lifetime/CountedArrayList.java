package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Spliterator;
import java.util.function.Consumer;
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

    private final HolderCount holders = new HolderCount();

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
        return holders;
    }

    @Override
    public void dropMembers$() {
        // nobody can reach it any more, so what it holds may stay in it
        Lifetimes.capture(this);
        for (int i = 0; i < size(); i++) {
            Lifetimes.drop(get(i));
        }
    }

    @Override
    public void escapeMembers$() {
        for (int i = 0; i < size(); i++) {
            Lifetimes.escape(get(i));
        }
    }

    private void open() {
        if (!Looking.isAtWork()) {
            Lifetimes.escape(this);
        }
    }

    private void take(Object element) {
        if (holders.escaped()) {
            Lifetimes.escape(element);
        }
        Lifetimes.hold(element);
    }

    private E give(E element) {
        Lifetimes.unhold(element);
        return element;
    }

    @Override
    public boolean add(E element) {
        take(element);
        return super.add(element);
    }

    @Override
    public void add(int index, E element) {
        super.add(index, element);
        take(element);
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
        boolean counted = other instanceof CountedArrayList;
        List<E> elements = new ArrayList<>(other.size());
        // each by each: an array of them would be a place that nobody counts
        for (E each : other) {
            elements.add(each);
        }
        for (E each : elements) {
            if (!counted) {
                Lifetimes.escape(each);
            }
            add(each);
        }
        return !other.isEmpty();
    }

    @Override
    public boolean addAll(int index, Collection<? extends E> other) {
        open();
        boolean changed = super.addAll(index, other);
        other.forEach(each -> {
            Lifetimes.escape(each);
            Lifetimes.hold(each);
        });
        return changed;
    }

    @Override
    public E set(int index, E element) {
        take(element);
        return give(super.set(index, element));
    }

    @Override
    public E remove(int index) {
        return give(super.remove(index));
    }

    @Override
    public E removeFirst() {
        return give(super.removeFirst());
    }

    @Override
    public E removeLast() {
        return give(super.removeLast());
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
        open();
        super.removeRange(from, to);
    }

    @Override
    public void replaceAll(UnaryOperator<E> operator) {
        for (int i = 0; i < size(); i++) {
            E old = get(i);
            E element = operator.apply(old);
            take(element);
            super.set(i, element);
            Lifetimes.drop(old);
        }
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        if (!Lifetimes.isWoven(action)) {
            open();
        }
        super.forEach(action);
    }

    @Override
    public Iterator<E> iterator() {
        return new Elements<>(this, super.iterator());
    }

    @Override
    public ListIterator<E> listIterator() {
        open();
        return super.listIterator();
    }

    @Override
    public ListIterator<E> listIterator(int index) {
        open();
        return super.listIterator(index);
    }

    @Override
    public List<E> subList(int from, int to) {
        open();
        return super.subList(from, to);
    }

    @Override
    public Object[] toArray() {
        open();
        return super.toArray();
    }

    @Override
    public <T> T[] toArray(T[] array) {
        open();
        return super.toArray(array);
    }

    @Override
    public Spliterator<E> spliterator() {
        open();
        return super.spliterator();
    }

    @Override
    public Stream<E> stream() {
        open();
        return super.stream();
    }

    @Override
    public Stream<E> parallelStream() {
        open();
        return super.parallelStream();
    }

    @Override
    public List<E> reversed() {
        open();
        return super.reversed();
    }

    @Override
    public Object clone() {
        open();
        return super.clone();
    }

    /** Its elements one after the other; whoever holds this holds them. */
    private static final class Elements<E> implements Iterator<E>, Counted {

        private final CountedArrayList<E> list;
        private final Iterator<E> elements;
        private final HolderCount holders = new HolderCount();
        private E last;

        Elements(CountedArrayList<E> list, Iterator<E> elements) {
            this.list = list;
            this.elements = elements;
        }

        @Override
        public HolderCount holderCount$() {
            return holders;
        }

        @Override
        public void dropMembers$() {
            last = null;
        }

        @Override
        public void escapeMembers$() {
            list.open();
        }

        @Override
        public boolean hasNext() {
            return elements.hasNext();
        }

        @Override
        public E next() {
            last = elements.next();
            return last;
        }

        @Override
        public void forEachRemaining(Consumer<? super E> action) {
            if (!Lifetimes.isWoven(action)) {
                list.open();
            }
            elements.forEachRemaining(action);
        }

        @Override
        public void remove() {
            E gone = last;
            Lifetimes.hold(gone);
            // it calls remove(int) of the list
            elements.remove();
            Lifetimes.drop(gone);
        }
    }
}
