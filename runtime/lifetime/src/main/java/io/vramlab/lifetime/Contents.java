package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a counted collection holds, and how many hold the collection: the counting that all of them share. */
final class Contents {

    private final Counted collection;
    private final HolderCount holders = new HolderCount();

    Contents(Counted collection) {
        this.collection = collection;
    }

    HolderCount holders() {
        return holders;
    }

    /** Whether an element of a collection is one of those that are counted. */
    static boolean counts(Object element) {
        return element instanceof Tensor || element instanceof Counted || element instanceof Object[]
                || element instanceof Owner || Lifetimes.isCounted(element);
    }

    /** It holds an element from now on. */
    void take(Object element) {
        if (holders.escaped()) {
            Lifetimes.escape(element);
        }
        Lifetimes.hold(element);
    }

    /** It holds an element from now on that came from a collection which may go on holding it, and may not count. */
    void takeFrom(Collection<?> other, Object element) {
        if (!(other instanceof Counted)) {
            Lifetimes.escape(element);
        }
        take(element);
    }

    /** It lets an element go to its caller. */
    <E> E give(E element) {
        Lifetimes.unhold(element);
        return element;
    }

    /** Somebody wants to see it who may keep what he sees: then its elements are the collector's. */
    void open() {
        if (!Looking.isAtWork()) {
            Lifetimes.escape(collection, Lifetimes.isWatched() ? "seen through " + Looking.opener() : "");
        }
    }

    /** Opens it for code that is not woven. */
    void openFor(Object action) {
        if (!Lifetimes.isWoven(action)) {
            open();
        }
    }

    /** Nobody holds the collection any more: lets go of its elements, which may stay in it. */
    void dropAll(Iterable<?> elements) {
        Lifetimes.capture(collection);
        elements.forEach(Lifetimes::drop);
    }

    /** Whether whoever calls now counts; then what he gets may hold the collection for him. */
    static boolean isAskedByWoven() {
        return Lifetimes.isCalledByWoven(Lifetimes.ANY);
    }

    /** Its elements in a new array, which holds them too if its caller counts. */
    <T> T[] array(Supplier<T[]> copy) {
        if (!isAskedByWoven()) {
            open();
            return copy.get();
        }
        T[] array = copy.get();
        Lifetimes.fill(array);
        return array;
    }

    /** Its elements as a stream, which holds the collection until it is at its end if its caller counts. */
    <E> Stream<E> stream(Supplier<Spliterator<E>> elements, Supplier<Stream<E>> otherwise) {
        if (!isAskedByWoven()) {
            open();
            return otherwise.get();
        }
        StreamSource source = new StreamSource(collection);
        return new CountedStream<>(source, source.stream(elements));
    }

    /** Its elements one after the other; those that {@code iterator} removes are let go here. */
    <E> Iterator<E> elements(Iterator<E> iterator) {
        return isAskedByWoven() ? new CountedIterator<>(collection, this, iterator, Lifetimes::unhold) : iterator;
    }

    /** Its elements one after the other; the collection itself lets go of those that {@code iterator} removes. */
    <E> Iterator<E> elementsRemovedByItself(Iterator<E> iterator) {
        return isAskedByWoven() ? new CountedIterator<>(collection, this, iterator, gone -> {
        }) : iterator;
    }
}
