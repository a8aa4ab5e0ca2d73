package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What woven code gets from {@link Map#of} when one of the values may be counted: the JDK's own map, whose values are held as a
 * Python dict's. Keys are left to the collector.
 */
final class CountedMapOf<K, V> extends AbstractMap<K, V> implements Counted {

    private final Map<K, V> map;
    private final Contents contents = new Contents(this);

    private CountedMapOf(Map<K, V> map) {
        super();
        this.map = map;
        map.keySet().forEach(Lifetimes::escape);
        map.values().forEach(contents::take);
    }

    /** That map, which cannot change, if there is nothing to count in it. */
    static <K, V> Map<K, V> mapOf(Map<K, V> map) {
        boolean counts = map.values().stream().anyMatch(Contents::counts);
        if (!counts) {
            map.keySet().forEach(Lifetimes::escape);
        }
        return counts ? new CountedMapOf<>(map) : map;
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        contents.dropAll(map.values());
    }

    @Override
    public void escapeMembers$() {
        map.values().forEach(Lifetimes::escape);
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
        throw new UnsupportedOperationException();
    }

    @Override
    public V remove(Object key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException();
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
    public Set<K> keySet() {
        return map.keySet();
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
