package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.HolderCount;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What woven code makes in place of a {@link HashMap}: it holds its values as a Python dict does. Keys are left to the
 * collector; whoever wants a view gets one, and from then on the values are the collector's too.
 *
 * @param <K>
 *            the keys
 * @param <V>
 *            the values
 */
public class CountedHashMap<K, V> extends HashMap<K, V> implements Counted {

    private static final long serialVersionUID = 1L;

    private final HolderCount holders = new HolderCount();

    /** Empty. */
    public CountedHashMap() {
        super();
    }

    /** Empty, with room. */
    public CountedHashMap(int capacity) {
        super(capacity);
    }

    /** Empty, with room. */
    public CountedHashMap(int capacity, float load) {
        super(capacity, load);
    }

    /** With the entries of another. */
    public CountedHashMap(Map<? extends K, ? extends V> other) {
        super();
        putAll(other);
    }

    @Override
    public HolderCount holderCount$() {
        return holders;
    }

    @Override
    public void dropMembers$() {
        // nobody can reach it any more, so what it holds may stay in it
        Lifetimes.capture(this);
        super.values().forEach(Lifetimes::drop);
    }

    @Override
    public void escapeMembers$() {
        super.values().forEach(Lifetimes::escape);
    }

    private void open() {
        if (!Looking.isAtWork()) {
            Lifetimes.escape(this);
        }
    }

    @Override
    public V put(K key, V value) {
        Lifetimes.escape(key);
        if (holders.escaped()) {
            Lifetimes.escape(value);
        }
        Lifetimes.hold(value);
        V old = super.put(key, value);
        Lifetimes.unhold(old);
        return old;
    }

    @Override
    public V remove(Object key) {
        V old = super.remove(key);
        Lifetimes.unhold(old);
        return old;
    }

    @Override
    public void clear() {
        List<V> all = new ArrayList<>(super.values());
        super.clear();
        all.forEach(Lifetimes::drop);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> other) {
        open();
        other.values().forEach(Lifetimes::escape);
        super.putAll(other);
        escapeMembers$();
    }

    @Override
    public V putIfAbsent(K key, V value) {
        open();
        Lifetimes.escape(value);
        return super.putIfAbsent(key, value);
    }

    @Override
    public boolean remove(Object key, Object value) {
        open();
        return super.remove(key, value);
    }

    @Override
    public boolean replace(K key, V old, V value) {
        open();
        Lifetimes.escape(value);
        return super.replace(key, old, value);
    }

    @Override
    public V replace(K key, V value) {
        open();
        Lifetimes.escape(value);
        return super.replace(key, value);
    }

    @Override
    public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        open();
        V value = super.computeIfAbsent(key, function);
        Lifetimes.escape(value);
        return value;
    }

    @Override
    public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        open();
        V value = super.computeIfPresent(key, function);
        Lifetimes.escape(value);
        return value;
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        open();
        V value = super.compute(key, function);
        Lifetimes.escape(value);
        return value;
    }

    @Override
    public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
        open();
        Lifetimes.escape(value);
        V merged = super.merge(key, value, function);
        Lifetimes.escape(merged);
        return merged;
    }

    @Override
    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        open();
        super.replaceAll(function);
        escapeMembers$();
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        if (!Lifetimes.isWoven(action)) {
            open();
        }
        super.forEach(action);
    }

    @Override
    public Collection<V> values() {
        open();
        return super.values();
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        open();
        return super.entrySet();
    }

    @Override
    public Object clone() {
        open();
        return super.clone();
    }
}
