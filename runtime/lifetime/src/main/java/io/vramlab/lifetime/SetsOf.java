package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.Lifetimes;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** {@link Set#of()} as woven code calls it: the JDK's forms, one by one, whose results {@link CountedSetOf} holds. */
public final class SetsOf {

    private SetsOf() {
    }

    /** As {@link Set#copyOf}. */
    public static <E> Set<E> copyOf(Collection<? extends E> other) {
        Set<E> elements = new HashSet<>();
        for (E each : other) {
            if (!(other instanceof Counted)) {
                Lifetimes.escape(each);
            }
            elements.add(each);
        }
        return CountedSetOf.setOf(Set.copyOf(elements));
    }

    /** Empty. */
    public static <E> Set<E> of() {
        return Set.of();
    }

    /** Of an array's elements. */
    @SafeVarargs
    public static <E> Set<E> of(E... elements) {
        return CountedSetOf.setOf(Set.of(elements));
    }

    /** One. */
    public static <E> Set<E> of(E e1) {
        return CountedSetOf.setOf(Set.of(e1));
    }

    /** Two. */
    public static <E> Set<E> of(E e1, E e2) {
        return CountedSetOf.setOf(Set.of(e1, e2));
    }

    /** Three. */
    public static <E> Set<E> of(E e1, E e2, E e3) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3));
    }

    /** Four. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4));
    }

    /** Five. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4, e5));
    }

    /** Six. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4, e5, e6));
    }

    /** Seven. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4, e5, e6, e7));
    }

    /** Eight. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4, e5, e6, e7, e8));
    }

    /** Nine. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4, e5, e6, e7, e8, e9));
    }

    /** Ten. */
    public static <E> Set<E> of(E e1, E e2, E e3, E e4, E e5, E e6, E e7, E e8, E e9, E e10) {
        return CountedSetOf.setOf(Set.of(e1, e2, e3, e4, e5, e6, e7, e8, e9, e10));
    }
}
