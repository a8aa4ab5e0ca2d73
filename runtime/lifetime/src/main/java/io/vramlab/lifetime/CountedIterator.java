package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.Iterator;
import java.util.function.Consumer;

/** The elements of a counted collection one after the other; whoever holds this holds the collection. */
final class CountedIterator<E> implements Iterator<E>, Counted {

    private final Counted collection;
    private final Contents contents;
    private final Iterator<E> elements;
    private final Consumer<? super E> removed;
    private final HolderCount holders = new HolderCount();
    private boolean holding = true;
    private E last;

    /**
     * @param removed
     *            what is to be done for an element that {@code elements} has removed
     */
    CountedIterator(Counted collection, Contents contents, Iterator<E> elements, Consumer<? super E> removed) {
        this.collection = collection;
        this.contents = contents;
        this.elements = elements;
        this.removed = removed;
        Lifetimes.hold(collection);
    }

    @Override
    public HolderCount holderCount$() {
        return holders;
    }

    @Override
    public void dropMembers$() {
        last = null;
        letGo();
    }

    private void letGo() {
        if (holding) {
            holding = false;
            Lifetimes.drop(collection);
        }
    }

    @Override
    public void escapeMembers$() {
        contents.open();
    }

    @Override
    public boolean hasNext() {
        boolean more = elements.hasNext();
        if (!more) {
            // as in Python, where it is at its end
            letGo();
        }
        return more;
    }

    @Override
    public E next() {
        last = elements.next();
        return last;
    }

    @Override
    public void forEachRemaining(Consumer<? super E> action) {
        contents.openFor(action);
        elements.forEachRemaining(action);
    }

    @Override
    public void remove() {
        E gone = last;
        Lifetimes.hold(gone);
        try {
            elements.remove();
            removed.accept(gone);
        } finally {
            Lifetimes.drop(gone);
        }
    }
}
