package io.vramlab.lifetime;

import io.vramlab.tensor.Lifetimes;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What a counted stream's elements come out of: held until the last one has come, and let go of with the streams that read it
 * where nobody reads on. A stream that nobody reads leaves it to the collector.
 */
final class StreamSource {

    private Object held;
    private boolean escaped;
    private String how = "";

    /** Held from now on; null for what makes its elements itself. */
    StreamSource(Object held) {
        this.held = held;
        Lifetimes.hold(held);
    }

    /** Code that does not count will see the elements. */
    void escape() {
        escaped = true;
        how = Lifetimes.isWatched() ? "seen through " + Looking.opener() : "";
        Lifetimes.escape(held, how);
    }

    /** No more elements are asked for. */
    void end() {
        Object last = held;
        held = null;
        Lifetimes.drop(last);
    }

    /** An element comes, and whoever takes it holds it. */
    <E> E held(E element) {
        if (escaped) {
            Lifetimes.escape(element, how);
        }
        Lifetimes.hold(element);
        return element;
    }

    /** The elements, each held for whoever takes it; never in parallel. */
    <E> Stream<E> stream(Supplier<Spliterator<E>> elements) {
        return StreamSupport.stream(() -> new Each<>(elements.get()), Spliterator.ORDERED, false);
    }

    private final class Each<E> implements Spliterator<E> {

        private final Spliterator<E> elements;

        Each(Spliterator<E> elements) {
            this.elements = elements;
        }

        @Override
        public boolean tryAdvance(Consumer<? super E> action) {
            boolean more = elements.tryAdvance(each -> action.accept(held(each)));
            if (!more) {
                end();
            }
            return more;
        }

        @Override
        public Spliterator<E> trySplit() {
            return null;
        }

        @Override
        public long estimateSize() {
            return elements.estimateSize();
        }

        @Override
        public int characteristics() {
            return ORDERED;
        }
    }
}
