package io.vramlab.memory.internal.pickle;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Bounds what was read: nesting (which also rules out cycles), and the size once shared parts are counted each time. */
final class PickleShape {

    private static final int MOST_DEPTH = 24;
    private static final long MOST_UNFOLDED = 2_000_000_000L;

    private final IdentityHashMap<Object, Long> sizes = new IdentityHashMap<>();

    private PickleShape() {
    }

    static void check(final Object root) throws PickleFormatException {
        new PickleShape().size(root, 0);
    }

    private long size(final Object value, final int depth) throws PickleFormatException {
        final Collection<?> children;
        if (value instanceof final HeldApart items) {
            return 1 + items.size();
        } else if (value instanceof List<?> list) {
            children = list;
        } else if (value instanceof Map<?, ?> map) {
            children = map.values();
        } else {
            return 1;
        }
        if (depth > MOST_DEPTH) {
            throw new PickleFormatException("it is nested more than " + MOST_DEPTH + " deep, or contains itself");
        }
        final Long known = sizes.get(value);
        if (known != null) {
            return known;
        }
        long total = 1;
        for (final Object child : children) {
            total += size(child, depth + 1);
            if (total > MOST_UNFOLDED) {
                throw new PickleFormatException(
                        "its shared parts unfold to more than " + MOST_UNFOLDED + " values, which is not accepted");
            }
        }
        sizes.put(value, total);
        return total;
    }
}
