package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What woven code makes in place of a {@link LinkedHashMap}: it holds its values as a Python dict does. Keys are left to the
 * collector; whoever wants a view gets one, and from then on the values are the collector's too.
 *
 * @param <K>
 *            the keys
 * @param <V>
 *            the values
 */
public class CountedLinkedHashMap<K, V> extends LinkedHashMap<K, V> implements Counted {

    private static final long serialVersionUID = 1L;

    private final Contents contents = new Contents(this);

    /** Empty. */
    public CountedLinkedHashMap() {
        super();
    }

    /** Empty, with room. */
    public CountedLinkedHashMap(int capacity) {
        super(capacity);
    }

    /** Empty, with room. */
    public CountedLinkedHashMap(int capacity, float load) {
        super(capacity, load);
    }

    /** Empty, with room, in the order of the last access if that is wanted. */
    public CountedLinkedHashMap(int capacity, float load, boolean byAccess) {
        super(capacity, load, byAccess);
    }

    /** With the entries of another. */
    public CountedLinkedHashMap(Map<? extends K, ? extends V> other) {
        super();
        putAll(other);
    }

    @Override
    public HolderCount holderCount$() {
        return contents.holders();
    }

    @Override
    public void dropMembers$() {
        contents.dropAll(super.values());
    }

    @Override
    public void escapeMembers$() {
        super.values().forEach(Lifetimes::escape);
    }

    @Override
    public V put(K key, V value) {
        Lifetimes.escape(key);
        contents.take(value);
        return contents.give(super.put(key, value));
    }

    @Override
    public V remove(Object key) {
        return contents.give(super.remove(key));
    }

    @Override
    public void clear() {
        List<V> all = new ArrayList<>(super.values());
        super.clear();
        all.forEach(Lifetimes::drop);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> other) {
        if (!(other instanceof Counted)) {
            other.values().forEach(Lifetimes::escape);
        }
        for (Map.Entry<? extends K, ? extends V> each : other.entrySet()) {
            Lifetimes.drop(put(each.getKey(), each.getValue()));
        }
    }

    @Override
    public V putIfAbsent(K key, V value) {
        V before = get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    @Override
    public boolean remove(Object key, Object value) {
        contents.open();
        return super.remove(key, value);
    }

    @Override
    public boolean replace(K key, V old, V value) {
        contents.open();
        Lifetimes.escape(value);
        return super.replace(key, old, value);
    }

    @Override
    public V replace(K key, V value) {
        contents.open();
        Lifetimes.escape(value);
        return super.replace(key, value);
    }

    @Override
    public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        V before = get(key);
        if (before != null) {
            return before;
        }
        Lifetimes.calling(function, Lifetimes.ANY);
        V value = function.apply(key);
        if (!Lifetimes.isWoven(function)) {
            Lifetimes.escape(value);
        }
        if (value != null) {
            put(key, value);
        }
        return value;
    }

    @Override
    public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        contents.open();
        V value = super.computeIfPresent(key, function);
        Lifetimes.escape(value);
        return value;
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        contents.open();
        Lifetimes.escape(key);
        V value = super.compute(key, function);
        Lifetimes.escape(value);
        return value;
    }

    @Override
    public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
        contents.open();
        Lifetimes.escape(key);
        Lifetimes.escape(value);
        V merged = super.merge(key, value, function);
        Lifetimes.escape(merged);
        return merged;
    }

    @Override
    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        contents.open();
        super.replaceAll(function);
        escapeMembers$();
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        contents.openFor(action);
        super.forEach(action);
    }

    @Override
    public Collection<V> values() {
        return Contents.isAskedByWoven() ? new MapValues<>(this, contents, super.values()) : super.values();
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return Contents.isAskedByWoven() ? new MapEntries<>(this, contents, super.entrySet()) : super.entrySet();
    }

    @Override
    public Object clone() {
        contents.open();
        return super.clone();
    }
}
