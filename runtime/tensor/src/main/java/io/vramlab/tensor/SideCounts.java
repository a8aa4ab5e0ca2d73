package io.vramlab.tensor;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counts of arrays, which have no room for one. Only arrays that woven code makes have one. */
final class SideCounts {

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

    private static final Map<Key, HolderCount> COUNTS = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

    private SideCounts() {
    }

    /** Begins to count a new object. */
    static HolderCount begin(Object object) {
        for (Reference<? extends Object> each = GONE.poll(); each != null; each = GONE.poll()) {
            COUNTS.remove(each);
        }
        return COUNTS.computeIfAbsent(new Key(object, GONE), key -> new HolderCount());
    }

    /** The count of an object; null if it has none. */
    static HolderCount of(Object object) {
        return COUNTS.isEmpty() ? null : COUNTS.get(new Key(object, null));
    }

    /** Counts no longer. */
    static void end(Object object) {
        COUNTS.remove(new Key(object, null));
    }
}
