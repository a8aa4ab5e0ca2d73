package io.vramlab.lifetime;

import io.vramlab.tensor.Lifetimes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What woven code gets in place of {@link Arrays}' views of an array: those of one that is counted hold it. */
public final class ArraysOf {

    private ArraysOf() {
    }

    /** As {@link Arrays#asList}. */
    @SafeVarargs
    public static <E> List<E> asList(E... elements) {
        if (Lifetimes.isCounted(elements)) {
            return new CountedArrayView<>(elements);
        }
        Lifetimes.escape(elements);
        return Arrays.asList(elements);
    }

    /** As {@link Arrays#stream(Object[])}. */
    public static <E> Stream<E> stream(E[] elements) {
        if (!Lifetimes.isCounted(elements)) {
            Lifetimes.escape(elements);
            return Arrays.stream(elements);
        }
        StreamSource source = new StreamSource(elements);
        return new CountedStream<>(source, source.stream(() -> Arrays.spliterator(elements)));
    }
}
