package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.OwnedMap;
import io.vramlab.tensor.Owner;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a method of this project's gives to woven code, if it is a collection of the JDK's: then it is made one that holds what is
 * in it, as {@code list(model.parameters())} does. What it cannot be made of is the collector's, with the module that gave it.
 */
public final class Given {

    private static final String HOW = "came from a module or an optimizer";

    private Given() {
    }

    /**
     * What stands in place of a result.
     *
     * @param value
     *            of any class, or null
     * @param giver
     *            that was asked; null if it was nobody
     * @param ours
     *            whether the method is one of this project's
     * @return the value, or a collection with the same in it
     */
    public static Object by(Object value, Object giver, boolean ours) {
        if (!ours) {
            return value;
        }
        Object given = value instanceof Counted ? value : made(value, giver);
        if (given == value && value instanceof Counted) {
            Lifetimes.escape(value, HOW);
        } else if (given == value) {
            Lifetimes.keep(value, HOW);
        }
        return given;
    }

    private static Object made(Object value, Object giver) {
        return switch (value) {
            case null -> null;
            case Iterator<?> elements when giver instanceof Owner owner -> new OfOwner<>(owner, elements);
            case Iterator<?> elements -> elements;
            case List<?> list -> counted(list);
            case Map<?, ?> map when isCopy(map) -> counted(map);
            case Collection<?> many when many.stream().noneMatch(Given::leads) -> many;
            case Iterable<?> many -> opened(many, giver);
            case Map<?, ?> map -> opened(map, giver);
            default -> value;
        };
    }

    /** Whether a map is nobody else's, or nobody changes it. */
    private static boolean isCopy(Map<?, ?> map) {
        return map.getClass() == LinkedHashMap.class || map.getClass() == Map.of().getClass()
                || map.getClass() == Map.of(1, 1).getClass();
    }

    /** Whether something is in there that is counted. */
    private static boolean leads(Object value) {
        return switch (value) {
            case null -> false;
            case Collection<?> many -> many.stream().anyMatch(Given::leads);
            case OwnedMap<?, ?> shown -> true;
            case Map<?, ?> map -> map.values().stream().anyMatch(Given::leads);
            default -> Contents.counts(value);
        };
    }

    private static Object counted(Object value) {
        if (value instanceof Counted || !leads(value)) {
            return value;
        }
        return switch (value) {
            case OwnedMap<?, ?> shown -> new CountedOwnedMap<>(shown);
            case Map<?, ?> map -> {
                CountedLinkedHashMap<Object, Object> counted = new CountedLinkedHashMap<>();
                map.forEach((key, each) -> counted.put(key, counted(each)));
                yield counted;
            }
            case Collection<?> many -> CountedListOf.listOfAny(many.stream().map(Given::counted).toArray());
            default -> {
                if (!Lifetimes.accept(value)) {
                    // code that keeps what it has made may have put it in: all but what owners look after
                    Lifetimes.keep(value, HOW);
                }
                yield value;
            }
        };
    }

    private static Object opened(Object value, Object giver) {
        if (giver instanceof Owner) {
            Lifetimes.escape(giver, "seen through a " + value.getClass().getSimpleName());
        }
        return value;
    }

    /** The members of an owner one after the other; whoever holds this holds the owner. */
    private static final class OfOwner<E> implements Iterator<E>, Counted {

        private final Owner owner;
        private final Iterator<E> elements;
        private final HolderCount holders = new HolderCount();
        private boolean holding = true;

        OfOwner(Owner owner, Iterator<E> elements) {
            this.owner = owner;
            this.elements = elements;
            Lifetimes.hold(owner);
        }

        @Override
        public HolderCount holderCount$() {
            return holders;
        }

        @Override
        public void dropMembers$() {
            if (holding) {
                holding = false;
                Lifetimes.drop(owner);
            }
        }

        @Override
        public void escapeMembers$() {
            Lifetimes.escape(owner);
        }

        @Override
        public boolean hasNext() {
            boolean more = elements.hasNext();
            if (!more) {
                // as in Python, where it is at its end
                dropMembers$();
            }
            return more;
        }

        @Override
        public E next() {
            return elements.next();
        }

        @Override
        public void remove() {
            elements.remove();
        }
    }
}
