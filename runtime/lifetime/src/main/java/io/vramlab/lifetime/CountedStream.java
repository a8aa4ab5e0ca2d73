package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A stream of a counted collection, or of what woven code makes: each element on its way is held by the stream, as Python's
 * generators hold one. What {@link OpenStream} does opens it: from then on its elements are the collector's.
 *
 * @param <E>
 *            the elements
 */
final class CountedStream<E> extends OpenStream<E> implements Counted {

    private final HolderCount holders = new HolderCount();
    private final StreamSource source;
    /** Each held once, for whoever takes it. */
    private final Stream<E> elements;

    CountedStream(StreamSource source, Stream<E> elements) {
        super();
        this.source = source;
        this.elements = elements;
    }

    @Override
    public HolderCount holderCount$() {
        return holders;
    }

    @Override
    public void dropMembers$() {
        // another stream may have been made of it
    }

    @Override
    public void escapeMembers$() {
        source.escape();
    }

    @Override
    protected Stream<E> open() {
        Lifetimes.called();
        source.escape();
        return elements.map(each -> {
            Lifetimes.escape(each);
            Lifetimes.unhold(each);
            return each;
        });
    }

    /** Calls woven code with an element. */
    private static <R> R call(Object code, Supplier<R> call) {
        Lifetimes.calling(code, Lifetimes.ANY);
        try {
            return call.get();
        } finally {
            Lifetimes.called();
        }
    }

    /** Calls woven code with an element, which is not needed any more. */
    private static <R> R callLast(Object code, Object element, Supplier<R> call) {
        try {
            return call(code, call);
        } finally {
            Lifetimes.drop(element);
        }
    }

    private <R> R ended(Supplier<R> last) {
        Lifetimes.called();
        try {
            return last.get();
        } finally {
            source.end();
        }
    }

    @Override
    public <R> Stream<R> map(Function<? super E, ? extends R> function) {
        if (!Lifetimes.isWoven(function)) {
            return open().map(function);
        }
        return new CountedStream<>(source, elements.map(
                each -> callLast(function, each, () -> source.held(function.apply(each)))));
    }

    @Override
    public Stream<E> filter(Predicate<? super E> wanted) {
        if (!Lifetimes.isWoven(wanted)) {
            return open().filter(wanted);
        }
        return new CountedStream<>(source, elements.filter(each -> {
            boolean stays = call(wanted, () -> wanted.test(each));
            if (!stays) {
                Lifetimes.drop(each);
            }
            return stays;
        }));
    }

    @Override
    public Stream<E> limit(long most) {
        return new CountedStream<>(source, elements.limit(most));
    }

    @Override
    public DoubleStream mapToDouble(ToDoubleFunction<? super E> function) {
        return Lifetimes.isWoven(function)
                ? elements.mapToDouble(each -> callLast(function, each, () -> function.applyAsDouble(each)))
                : open().mapToDouble(function);
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super E> function) {
        return Lifetimes.isWoven(function)
                ? elements.mapToInt(each -> callLast(function, each, () -> function.applyAsInt(each)))
                : open().mapToInt(function);
    }

    @Override
    public LongStream mapToLong(ToLongFunction<? super E> function) {
        return Lifetimes.isWoven(function)
                ? elements.mapToLong(each -> callLast(function, each, () -> function.applyAsLong(each)))
                : open().mapToLong(function);
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        if (!Lifetimes.isWoven(action)) {
            open().forEach(action);
            return;
        }
        ended(() -> {
            elements.forEach(each -> callLast(action, each, () -> {
                action.accept(each);
                return each;
            }));
            return null;
        });
    }

    @Override
    public void forEachOrdered(Consumer<? super E> action) {
        forEach(action);
    }

    @Override
    public boolean anyMatch(Predicate<? super E> wanted) {
        return Lifetimes.isWoven(wanted)
                ? ended(() -> elements.anyMatch(each -> callLast(wanted, each, () -> wanted.test(each))))
                : open().anyMatch(wanted);
    }

    @Override
    public boolean allMatch(Predicate<? super E> wanted) {
        return Lifetimes.isWoven(wanted)
                ? ended(() -> elements.allMatch(each -> callLast(wanted, each, () -> wanted.test(each))))
                : open().allMatch(wanted);
    }

    @Override
    public boolean noneMatch(Predicate<? super E> wanted) {
        return !anyMatch(wanted);
    }

    @Override
    public E reduce(E first, BinaryOperator<E> operator) {
        if (!Lifetimes.isWoven(operator)) {
            return open().reduce(first, operator);
        }
        boolean counts = Contents.isAskedByWoven();
        return ended(() -> {
            List<E> sum = new ArrayList<>(List.of(source.held(first)));
            elements.forEach(each -> {
                E before = sum.getFirst();
                sum.set(0, callLast(operator, each, () -> source.held(operator.apply(before, each))));
                Lifetimes.drop(before);
            });
            if (!counts) {
                Lifetimes.escape(sum.getFirst());
            }
            Lifetimes.unhold(sum.getFirst());
            return sum.getFirst();
        });
    }

    @Override
    public long count() {
        return ended(() -> elements.mapToLong(each -> {
            Lifetimes.drop(each);
            return 1;
        }).sum());
    }

    @Override
    public List<E> toList() {
        return ended(() -> let(elements.toArray(), CountedListOf::listOfAny));
    }

    @Override
    public Object[] toArray() {
        return toArray(Object[]::new);
    }

    @Override
    public <A> A[] toArray(IntFunction<A[]> generator) {
        boolean counts = Contents.isAskedByWoven();
        // the generator's own array may be known to code that does not count
        A[] kind = generator.apply(0);
        return ended(() -> let(elements.toArray(), all -> {
            @SuppressWarnings("unchecked") // an array of the kind that was asked for
            A[] array = (A[]) Arrays.copyOf(all, all.length, kind.getClass());
            if (counts) {
                Lifetimes.fill(array);
            } else {
                Lifetimes.escape(array);
            }
            return array;
        }));
    }

    @Override
    public void close() {
        elements.close();
    }

    @Override
    public <R, A> R collect(Collector<? super E, A, R> collector) {
        if (!StreamsOf.isCounted(collector)) {
            return open().collect(collector);
        }
        return ended(() -> {
            A all = collector.supplier().get();
            let(elements.toArray(), each -> {
                for (Object one : each) {
                    collector.accumulator().accept(all, cast(one));
                }
                return null;
            });
            return collector.finisher().apply(all);
        });
    }

    @SuppressWarnings("unchecked") // they came out of this stream
    private E cast(Object element) {
        return (E) element;
    }

    /** Lets go of elements once they have another place. */
    private static <A, R> R let(A[] elements, Function<A[], R> place) {
        A[] copy = elements.clone();
        R placed = place.apply(elements);
        for (Object each : copy) {
            Lifetimes.drop(each);
        }
        return placed;
    }
}
