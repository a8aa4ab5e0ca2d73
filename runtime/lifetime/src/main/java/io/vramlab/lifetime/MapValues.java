package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The values of a counted map; whoever holds this holds the map. Spliterators leave them to the collector. */
final class MapValues<V> extends AbstractCollection<V> implements Counted {

    private final Counted map;
    private final Contents contents;
    private final Collection<V> values;
    private final HolderCount holders = new HolderCount();

    MapValues(Counted map, Contents contents, Collection<V> values) {
        this.map = map;
        this.contents = contents;
        this.values = values;
        Lifetimes.hold(map);
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
    public Iterator<V> iterator() {
        return contents.elements(values.iterator());
    }

    @Override
    public int size() {
        return values.size();
    }

    @Override
    public void forEach(Consumer<? super V> action) {
        contents.openFor(action);
        values.forEach(action);
    }

    @Override
    public Stream<V> stream() {
        return contents.stream(values::spliterator, values::stream);
    }

    @Override
    public Spliterator<V> spliterator() {
        contents.open();
        return values.spliterator();
    }

    @Override
    public Object[] toArray() {
        return contents.array(() -> values.toArray());
    }

    @Override
    public <T> T[] toArray(T[] array) {
        return contents.array(() -> values.toArray(array));
    }
}
