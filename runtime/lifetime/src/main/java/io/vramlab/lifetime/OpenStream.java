package io.vramlab.lifetime;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Gatherer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What a counted stream leaves to the JDK's: it keeps elements where nobody counts, or hands them to code that may. */
abstract class OpenStream<E> implements Stream<E> {

    /** The JDK's stream of the same elements, which are the collector's from then on. */
    protected abstract Stream<E> open();

    @Override
    public <R> Stream<R> flatMap(Function<? super E, ? extends Stream<? extends R>> function) {
        return open().flatMap(function);
    }

    @Override
    public IntStream flatMapToInt(Function<? super E, ? extends IntStream> function) {
        return open().flatMapToInt(function);
    }

    @Override
    public LongStream flatMapToLong(Function<? super E, ? extends LongStream> function) {
        return open().flatMapToLong(function);
    }

    @Override
    public DoubleStream flatMapToDouble(Function<? super E, ? extends DoubleStream> function) {
        return open().flatMapToDouble(function);
    }

    @Override
    public <R> Stream<R> mapMulti(BiConsumer<? super E, ? super Consumer<R>> mapper) {
        return open().mapMulti(mapper);
    }

    @Override
    public <R> Stream<R> gather(Gatherer<? super E, ?, R> gatherer) {
        return open().gather(gatherer);
    }

    @Override
    public Stream<E> distinct() {
        return open().distinct();
    }

    @Override
    public Stream<E> sorted() {
        return open().sorted();
    }

    @Override
    public Stream<E> sorted(Comparator<? super E> order) {
        return open().sorted(order);
    }

    @Override
    public Stream<E> peek(Consumer<? super E> action) {
        return open().peek(action);
    }

    @Override
    public Stream<E> skip(long first) {
        return open().skip(first);
    }

    @Override
    public Stream<E> takeWhile(Predicate<? super E> wanted) {
        return open().takeWhile(wanted);
    }

    @Override
    public Stream<E> dropWhile(Predicate<? super E> unwanted) {
        return open().dropWhile(unwanted);
    }

    @Override
    public Optional<E> reduce(BinaryOperator<E> operator) {
        return open().reduce(operator);
    }

    @Override
    public <U> U reduce(U first, BiFunction<U, ? super E, U> next, BinaryOperator<U> operator) {
        return open().reduce(first, next, operator);
    }

    @Override
    public <R> R collect(Supplier<R> supplier, BiConsumer<R, ? super E> accumulator, BiConsumer<R, R> combiner) {
        return open().collect(supplier, accumulator, combiner);
    }

    @Override
    public Optional<E> min(Comparator<? super E> order) {
        return open().min(order);
    }

    @Override
    public Optional<E> max(Comparator<? super E> order) {
        return open().max(order);
    }

    @Override
    public Optional<E> findFirst() {
        return open().findFirst();
    }

    @Override
    public Optional<E> findAny() {
        return open().findAny();
    }

    @Override
    public Iterator<E> iterator() {
        return open().iterator();
    }

    @Override
    public Spliterator<E> spliterator() {
        return open().spliterator();
    }

    @Override
    public boolean isParallel() {
        return false;
    }

    @Override
    public Stream<E> sequential() {
        return this;
    }

    @Override
    public Stream<E> parallel() {
        return open().parallel();
    }

    @Override
    public Stream<E> unordered() {
        return this;
    }

    @Override
    public Stream<E> onClose(Runnable action) {
        return open().onClose(action);
    }
}
