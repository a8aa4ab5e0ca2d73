package io.vramlab.device;

/**
 * A device's library of recurrent networks. All weights lie in one block, whose layout is the library's; what it works in and
 * what it keeps for backward is memory that it is given. Work is queued and returns at once.
 */
public interface RecurrentLibrary {

    /**
     * Bytes of memory.
     *
     * @param workspace
     *            for the time of the call
     * @param reserve
     *            from forward to backward; 0 where no backward may follow
     */
    record Sizes(long workspace, long reserve) {
    }

    /**
     * Memory of a call.
     *
     * @param workspace
     *            its address
     * @param reserve
     *            address of what is kept for backward, 0 for none
     * @param sizes
     *            of both
     */
    record Memory(long workspace, long reserve, Sizes sizes) {
    }

    /**
     * Addresses of inputs and results; cells are 0 where there are none.
     *
     * @param weights
     *            the block of weights
     * @param x
     *            inputs
     * @param y
     *            outputs
     * @param hx
     *            first states [layers x directions, batch, output]
     * @param hy
     *            last states
     * @param cx
     *            first cells [layers x directions, batch, hidden]
     * @param cy
     *            last cells
     */
    record Data(long weights, long x, long y, long hx, long hy, long cx, long cy) {
    }

    /** Whether the library can compute it. */
    boolean computes(RecurrentShape shape);

    /** Bytes of the block of weights; it has room for biases, which are zero where there are none. */
    long weightBytes(RecurrentShape shape);

    /** Where each of {@link RecurrentShape#weights} of each layer and direction begins in the block, in bytes. */
    long[] weightOffsets(RecurrentShape shape);

    /** What forward needs. */
    Sizes sizes(RecurrentShape shape, boolean training);

    /** Bytes of the workspace of each half of backward. */
    long backwardWorkspace(RecurrentShape shape);

    /** Bytes of the random numbers' state. */
    long dropoutBytes();

    /** Starts the random numbers anew. */
    void seedDropout(RecurrentShape.Dropout dropout, long seed, long stream);

    /** Outputs, last states and cells. */
    void forward(RecurrentShape shape, boolean training, Data data, Memory memory, long stream);

    /**
     * Gradients of inputs, states and cells.
     *
     * @param grads
     *            at the places of what they are gradients of; given are those of y, hy and cy
     */
    void backwardData(RecurrentShape shape, Data data, Data grads, Memory memory, long stream);

    /** Adds gradients to the block {@code gradWeights}; after {@link #backwardData}, with its reserve. */
    void backwardWeights(RecurrentShape shape, Data data, long gradWeights, Memory memory, long stream);
}
