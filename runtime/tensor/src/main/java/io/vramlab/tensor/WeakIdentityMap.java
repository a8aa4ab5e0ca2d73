package io.vramlab.tensor;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What is known of objects that have no room for it: by which object it is, for as long as something can reach that.
 *
 * @param <V>
 *            what is known; must not lead to the object
 */
final class WeakIdentityMap<V> {

    private static final class Key extends WeakReference<Object> {

        private final int hash;

        Key(Object object, ReferenceQueue<Object> queue) {
            super(object, queue);
            hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Key key && get() != null && get() == key.get();
        }
    }

    private final Map<Key, V> all = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    /** What is known of an object, from now on if it was nothing. */
    V get(Object object, Supplier<V> first) {
        for (Reference<?> each = gone.poll(); each != null; each = gone.poll()) {
            all.remove(each);
        }
        return all.computeIfAbsent(new Key(object, gone), key -> first.get());
    }

    /** What is known of an object; null for nothing. */
    V get(Object object) {
        return all.isEmpty() ? null : all.get(new Key(object, null));
    }

    /** Knows nothing of an object any more. */
    void remove(Object object) {
        all.remove(new Key(object, null));
    }
}
