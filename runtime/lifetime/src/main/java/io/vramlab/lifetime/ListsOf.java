package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** {@link List#of} as woven code calls it: the JDK's forms, one by one, whose results {@link CountedListOf} makes. */
public final class ListsOf {

    private ListsOf() {
    }

    /** As {@link List#copyOf}: those that cannot change are their own copies. */
    @SuppressWarnings("unchecked") // read only
    public static <E> List<E> copyOf(Collection<? extends E> other) {
        if (other instanceof CountedListOf<? extends E> same && !same.hasNull()) {
            return (List<E>) same;
        }
        if (!(other instanceof Counted)) {
            other.forEach(Lifetimes::escape);
            return List.copyOf(other);
        }
        List<E> elements = new ArrayList<>(other.size());
        for (E each : other) {
            elements.add(each);
        }
        return (List<E>) CountedListOf.listOf(elements.toArray());
    }

    /** Empty. */
    public static <E> List<E> of() {
        return List.of();
    }

    /** Of an array's elements. */
    @SafeVarargs
    public static <E> List<E> of(E... elements) {
        return CountedListOf.listOf(elements);
    }

    /** One. */
    public static <E> List<E> of(E e1) {
        return CountedListOf.listOf(e1);
    }

    /** Two. */
    public static <E> List<E> of(E e1, E e2) {
        return CountedListOf.listOf(e1, e2);
    }

    /** Three. */
    public static <E> List<E> of(E e1, E e2, E e3) {
        return CountedListOf.listOf(e1, e2, e3);
    }

    /** Four. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4) {
        return CountedListOf.listOf(e1, e2, e3, e4);
    }

    /** Five. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5) {
        return CountedListOf.listOf(e1, e2, e3, e4, e5);
    }

    /** Six. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6) {
        return CountedListOf.listOf(e1, e2, e3, e4, e5, e6);
    }

    /** Seven. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7) {
        return CountedListOf.listOf(e1, e2, e3, e4, e5, e6, e7);
    }

    /** Eight. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8) {
        return CountedListOf.listOf(e1, e2, e3, e4, e5, e6, e7, e8);
    }

    /** Nine. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9) {
        return CountedListOf.listOf(e1, e2, e3, e4, e5, e6, e7, e8, e9);
    }

    /** Ten. */
    public static <E> List<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9, E e10) {
        return CountedListOf.listOf(e1, e2, e3, e4, e5, e6, e7, e8, e9, e10);
    }
}
