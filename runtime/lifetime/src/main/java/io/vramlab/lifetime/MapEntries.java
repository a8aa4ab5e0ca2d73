package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;

/** The entries of a counted map; whoever holds this holds the map. Streams and arrays leave them to the collector. */
final class MapEntries<K, V> extends AbstractSet<Map.Entry<K, V>> implements Counted {

    private final Counted map;
    private final Contents contents;
    private final Set<Map.Entry<K, V>> entries;
    private final HolderCount holders = new HolderCount();

    MapEntries(Counted map, Contents contents, Set<Map.Entry<K, V>> entries) {
        this.map = map;
        this.contents = contents;
        this.entries = entries;
        Lifetimes.hold(map);
    }

    /** One entry; it holds its value while it is held, as the pair does that Python makes of it. */
    private static final class Pair<K, V> implements Map.Entry<K, V>, Counted {

        private final Contents contents;
        private final Map.Entry<K, V> entry;
        private final HolderCount holders = new HolderCount();
        private V held;

        Pair(Contents contents, Map.Entry<K, V> entry) {
            this.contents = contents;
            this.entry = entry;
            this.held = entry.getValue();
            Lifetimes.hold(held);
        }

        @Override
        public HolderCount holderCount$() {
            return holders;
        }

        @Override
        public void dropMembers$() {
            Lifetimes.drop(held);
        }

        @Override
        public void escapeMembers$() {
            contents.open();
        }

        @Override
        public K getKey() {
            return entry.getKey();
        }

        @Override
        public V getValue() {
            return entry.getValue();
        }

        @Override
        public V setValue(V wanted) {
            contents.take(wanted);
            return contents.give(entry.setValue(wanted));
        }

        @Override
        public boolean equals(Object other) {
            return entry.equals(other);
        }

        @Override
        public int hashCode() {
            return entry.hashCode();
        }

        @Override
        public String toString() {
            return entry.toString();
        }
    }

    @Override
    public HolderCount holderCount$() {
        return holders;
    }

    @Override
    public void dropMembers$() {
        Lifetimes.drop(map);
    }

    @Override
    public void escapeMembers$() {
        contents.open();
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
        Iterator<Map.Entry<K, V>> each = entries.iterator();
        if (!Contents.isAskedByWoven()) {
            return each;
        }
        return new CountedIterator<>(map, contents, new Iterator<>() {
            @Override
            public boolean hasNext() {
                return each.hasNext();
            }

            @Override
            public Map.Entry<K, V> next() {
                return new Pair<>(contents, each.next());
            }

            @Override
            public void remove() {
                each.remove();
            }
        }, gone -> Lifetimes.drop(gone.getValue()));
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public boolean contains(Object entry) {
        return entries.contains(entry);
    }

    @Override
    public void forEach(Consumer<? super Map.Entry<K, V>> action) {
        contents.openFor(action);
        entries.forEach(action);
    }

    @Override
    public Spliterator<Map.Entry<K, V>> spliterator() {
        contents.open();
        return entries.spliterator();
    }

    @Override
    public Object[] toArray() {
        contents.open();
        return entries.toArray();
    }

    @Override
    public <T> T[] toArray(T[] array) {
        contents.open();
        return entries.toArray(array);
    }
}
