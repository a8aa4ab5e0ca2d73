package io.vramlab.tensor;

/**
 * What the garbage collector let go because the user had not.
 *
 * @param handles
 *            tensors that were dropped without {@link Tensor#close}
 * @param bytes
 *            bytes of storage of which such a tensor was the last holder; what a graph behind it held is not counted
 */
public record Collected(long handles, long bytes) {

    /** Nothing. */
    public static final Collected NONE = new Collected(0, 0);

    /**
     * The sum.
     *
     * @param other
     *            counted elsewhere, not in this one too
     * @return the sum of both, a new record
     */
    public Collected plus(Collected other) {
        return new Collected(handles + other.handles, bytes + other.bytes);
    }

    /**
     * The difference: what came since {@code earlier}.
     *
     * @param earlier
     *            what was counted before
     * @return what came since, a new record
     */
    public Collected minus(Collected earlier) {
        return new Collected(handles - earlier.handles, bytes - earlier.bytes);
    }
}
