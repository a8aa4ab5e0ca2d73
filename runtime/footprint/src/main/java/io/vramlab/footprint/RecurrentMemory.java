package io.vramlab.footprint;

import io.vramlab.device.DType;

/**
 * What cuDNN takes for a recurrent network on an H200: a reserve, which backward reads, and a workspace for the time of a
 * call. Both follow rules that were read off cuDNN's own answers (docs/footprint.md, "Recurrent layers").
 *
 * @param kind
 *            {@code LSTM}, {@code GRU} or {@code RNN}
 * @param dtype
 *            of inputs and weights
 * @param training
 *            whether backward may follow
 * @param packed
 *            whether sequences lie without padding between them
 * @param times
 *            the longest sequence
 * @param batch
 *            sequences
 * @param rows
 *            elements of all sequences: times x batch, or fewer where they are packed
 * @param input
 *            width of the input
 * @param hidden
 *            width of a state
 * @param layers
 *            one above another
 * @param directions
 *            1, or 2
 * @param bias
 *            whether there are biases
 * @param projection
 *            width that an LSTM's output is projected to; 0 for none
 * @param dropout
 *            whether elements are dropped between layers
 */
public record RecurrentMemory(String kind, DType dtype, boolean training, boolean packed, long times, long batch,
        long rows, long input, long hidden, long layers, long directions, boolean bias, long projection,
        boolean dropout) {

    private static final long FLAGS = 256;
    private static final long ALIGNED = 32;

    static long aligned(long bytes) {
        return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    }

    /** Gates and cells that backward reads: so many of each layer's output. */
    private long kept() {
        return kind.equals("LSTM") ? 5 : kind.equals("GRU") ? 6 : 1;
    }

    /** Bytes of the reserve; 0 where no backward may follow. */
    public long reserve() {
        if (!training) {
            return 0;
        }
        int element = dtype.bytes();
        long one = rows * hidden * element;
        long between = (layers - 1) * directions;
        long all = one * (kept() * layers * directions + between);
        if (projection > 0) {
            // the cells' outputs before they are projected, and the projected ones
            all = (kept() + 1) * layers * directions * one + between * one
                    + layers * directions * rows * projection * element;
        }
        // each direction of a later layer drops by itself from what all directions below gave
        long masks = dropout && layers > 1
                ? aligned(between * times * batch * (projection > 0 ? projection : hidden) * directions / Byte.SIZE)
                : 0;
        return aligned(all + FLAGS) + masks;
    }

    /** Bytes of the workspace of forward. */
    public long workspace() {
        return RecurrentWorkspace.bytes(this, true);
    }

    /** Bytes of the workspace of each of the two products of backward. */
    public long backwardWorkspace() {
        return RecurrentWorkspace.bytes(this, false);
    }
}
