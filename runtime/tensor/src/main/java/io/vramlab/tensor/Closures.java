package io.vramlab.tensor;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What lambdas of woven code have captured, and how many hold each: they have no room for it themselves. */
final class Closures {

    /** One lambda. It keeps what it has captured reachable itself: kept here, a cycle would never be collected. */
    static final class Closure {

        private final HolderCount holders = new HolderCount();
        private final List<WeakReference<Object>> captured = new ArrayList<>();

        HolderCount holders() {
            return holders;
        }

        void add(Object value) {
            Lifetimes.hold(value);
            captured.add(new WeakReference<>(value));
        }

        void dropCaptured() {
            for (WeakReference<Object> each : captured) {
                Lifetimes.drop(each.get());
            }
            captured.clear();
        }
    }

    private static final class Key extends WeakReference<Object> {

        private final int hash;

        Key(Object lambda, ReferenceQueue<Object> queue) {
            super(lambda, queue);
            hash = System.identityHashCode(lambda);
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

    private static final Map<Key, Closure> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

    private Closures() {
    }

    /** That lambda's, which captures something. */
    static Closure begin(Object lambda) {
        for (Reference<?> each = GONE.poll(); each != null; each = GONE.poll()) {
            ALL.remove(each);
        }
        return ALL.computeIfAbsent(new Key(lambda, GONE), key -> new Closure());
    }

    /** That lambda's; null for every other object. */
    static Closure of(Object value) {
        return value != null && !ALL.isEmpty() && value.getClass().isHidden() ? ALL.get(new Key(value, null)) : null;
    }
}
