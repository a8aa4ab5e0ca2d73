package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.OwnedMap;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** What woven code gets for an {@link OwnedMap}: whoever holds this holds the owner, which holds the values. */
final class CountedOwnedMap<K, V> extends AbstractMap<K, V> implements Counted {

    private final OwnedMap<K, V> map;
    private final Contents contents = new Contents(this);

    CountedOwnedMap(OwnedMap<K, V> map) {
        super();
        this.map = map;
        Lifetimes.hold(map.owner());
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        Lifetimes.capture(this);
        Lifetimes.drop(map.owner());
    }

    @Override
    public void escapeMembers$() {
        Lifetimes.escape(map.owner());
    }

    @Override
    public V get(Object key) {
        return map.get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return map.containsKey(key);
    }

    @Override
    public V put(K key, V value) {
        return map.put(key, value);
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        contents.openFor(action);
        map.forEach(action);
    }

    @Override
    public Collection<V> values() {
        return Contents.isAskedByWoven() ? new MapValues<>(this, contents, map.values()) : map.values();
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return Contents.isAskedByWoven() ? new MapEntries<>(this, contents, map.entrySet()) : map.entrySet();
    }
}
