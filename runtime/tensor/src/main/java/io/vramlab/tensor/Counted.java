package io.vramlab.tensor;

/**
 * An object whose holders are counted, because it may hold tensors: woven classes of cells, and the collections that woven
 * code makes. When the last holder lets go it lets go of what it holds.
 */
public interface Counted {

    /**
     * How many hold it.
     *
     * @return the object's own count; null when nobody counts, as for a copy made by deserialisation: then it is never
     *         let go
     */
    HolderCount holderCount$();

    /** Lets go of everything it holds. */
    void dropMembers$();

    /** Code that does not count will see what it holds, now and later. */
    default void escapeMembers$() {
        // what an object's fields hold is seen through its methods, which are woven
    }
}
