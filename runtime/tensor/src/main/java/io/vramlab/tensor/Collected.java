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

    /** The sum. */
    public Collected plus(Collected other) {
        return new Collected(handles + other.handles, bytes + other.bytes);
    }

    /** The difference: what came since {@code earlier}. */
    public Collected minus(Collected earlier) {
        return new Collected(handles - earlier.handles, bytes - earlier.bytes);
    }
}
