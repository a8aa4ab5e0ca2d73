package io.vramlab.tensor;

/** The counts of arrays, which have no room for one. Only arrays that woven code makes have one. */
final class SideCounts {

    private static final WeakIdentityMap<HolderCount> COUNTS = new WeakIdentityMap<>();

    private SideCounts() {
    }

    /** Begins to count a new object. */
    static HolderCount begin(Object object) {
        return COUNTS.get(object, HolderCount::new);
    }

    /** The count of an object; null if it has none. */
    static HolderCount of(Object object) {
        return COUNTS.get(object);
    }

    /** Counts no longer. */
    static void end(Object object) {
        COUNTS.remove(object);
    }
}
