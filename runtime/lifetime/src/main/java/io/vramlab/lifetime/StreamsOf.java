package io.vramlab.lifetime;

import io.vramlab.tensor.Lifetimes;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collector;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Streams as woven code makes them of single values, arrays and numbers, and the one collector that counts. */
public final class StreamsOf {

    private static final Collector<Object, ?, List<Object>> TO_LIST = Collector.of(CountedArrayList::new, List::add,
            (some, others) -> {
                some.addAll(others);
                return some;
            });

    private StreamsOf() {
    }

    /** As {@link Stream#of(Object[])}. */
    @SafeVarargs
    public static <E> Stream<E> of(E... elements) {
        return ArraysOf.stream(elements);
    }

    /** As {@link Stream#of(Object)}. */
    public static <E> Stream<E> of(E element) {
        @SuppressWarnings("unchecked") // nobody else sees it
        E[] one = (E[]) new Object[]{element};
        Lifetimes.fill(one);
        return ArraysOf.stream(one);
    }

    /** As {@link IntStream#mapToObj}. */
    public static <E> Stream<E> mapToObj(IntStream numbers, IntFunction<? extends E> function) {
        if (numbers.isParallel() || !Lifetimes.isWoven(function)) {
            return numbers.mapToObj(function);
        }
        StreamSource source = new StreamSource(null);
        return new CountedStream<>(source, numbers.mapToObj(each -> {
            Lifetimes.calling(function, Lifetimes.ANY);
            try {
                return source.held(function.apply(each));
            } finally {
                Lifetimes.called();
            }
        }));
    }

    /** As {@link java.util.stream.Collectors#toList}: a list that counts. */
    @SuppressWarnings("unchecked") // it takes what it is given
    public static <E> Collector<E, ?, List<E>> toList() {
        return (Collector<E, ?, List<E>>) (Collector<?, ?, ?>) TO_LIST;
    }

    /** Whether a collector keeps what it is given where it is counted. */
    static boolean isCounted(Collector<?, ?, ?> collector) {
        return collector == TO_LIST;
    }
}
