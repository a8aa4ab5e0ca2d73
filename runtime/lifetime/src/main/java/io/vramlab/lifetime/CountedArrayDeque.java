package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What woven code makes in place of an {@link ArrayDeque}: it holds its elements as a Python deque does.
 *
 * @param <E>
 *            the elements
 */
public class CountedArrayDeque<E> extends ArrayDeque<E> implements Counted {

    private static final long serialVersionUID = 1L;

    /** Null while the elements of another are taken in. */
    private HolderCount holders = new HolderCount();

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
        return holders;
    }

    @Override
    public void dropMembers$() {
        // nobody can reach it any more, so what it holds may stay in it
        Lifetimes.capture(this);
        super.forEach(Lifetimes::drop);
    }

    @Override
    public void escapeMembers$() {
        super.forEach(Lifetimes::escape);
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

    // the other ways to add and to remove one end in these

    @Override
    public void addFirst(E element) {
        super.addFirst(element);
        take(element);
    }

    @Override
    public void addLast(E element) {
        super.addLast(element);
        take(element);
    }

    @Override
    public E pollFirst() {
        return give(super.pollFirst());
    }

    @Override
    public E pollLast() {
        return give(super.pollLast());
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
        open();
        return super.removeFirstOccurrence(element);
    }

    @Override
    public boolean removeLastOccurrence(Object element) {
        open();
        return super.removeLastOccurrence(element);
    }

    @Override
    public boolean removeIf(Predicate<? super E> filter) {
        open();
        return super.removeIf(filter);
    }

    @Override
    public boolean removeAll(Collection<?> other) {
        open();
        return super.removeAll(other);
    }

    @Override
    public boolean retainAll(Collection<?> other) {
        open();
        return super.retainAll(other);
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
        open();
        return super.iterator();
    }

    @Override
    public Iterator<E> descendingIterator() {
        open();
        return super.descendingIterator();
    }

    @Override
    public Spliterator<E> spliterator() {
        open();
        return super.spliterator();
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
    public ArrayDeque<E> clone() {
        open();
        return super.clone();
    }
}
