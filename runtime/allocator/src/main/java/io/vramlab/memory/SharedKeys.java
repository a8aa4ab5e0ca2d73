package io.vramlab.memory;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** A small map whose keys are an array shared by all maps of its kind: a snapshot has a hundred thousand of them. */
final class SharedKeys extends AbstractMap<String, Object> {

    private final String[] keys;
    private final Object[] values;

    /** The keys must be distinct; there may be fewer values, then the last keys are absent. */
    SharedKeys(final String[] keys, final Object... values) {
        this.keys = keys;
        this.values = values;
    }

    @Override
    public Object get(final Object key) {
        for (int i = 0; i < values.length; i++) {
            if (keys[i].equals(key)) {
                return values[i];
            }
        }
        return null;
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        return new AbstractSet<>() {

            @Override
            public Iterator<Map.Entry<String, Object>> iterator() {
                return IntStream
                        .range(0, values.length).<Map.Entry<String, Object>>mapToObj(
                                i -> new SimpleImmutableEntry<>(keys[i], values[i]))
                        .iterator();
            }

            @Override
            public int size() {
                return values.length;
            }
        };
    }
}
