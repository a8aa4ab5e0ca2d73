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

    /**
     * Whether the library can compute it.
     *
     * @param shape
     *            the network and its batch
     * @return false if it has to be composed of other kernels
     */
    boolean computes(RecurrentShape shape);

    /**
     * Bytes of the block of weights; it has room for biases, which are zero where there are none.
     *
     * @param shape
     *            the network; its batch does not matter
     * @return its size
     */
    long weightBytes(RecurrentShape shape);

    /**
     * Where each of {@link RecurrentShape#weights} of each layer and direction begins in the block, in bytes.
     *
     * @param shape
     *            the network; its batch does not matter
     * @return an offset for each of them
     */
    long[] weightOffsets(RecurrentShape shape);

    /**
     * What forward needs.
     *
     * @param shape
     *            the network and its batch
     * @param training
     *            whether backward may follow
     * @return bytes of the reserve and of the workspace
     */
    Sizes sizes(RecurrentShape shape, boolean training);

    /**
     * Bytes of the workspace of each half of backward.
     *
     * @param shape
     *            the network and its batch
     * @return its size; both halves take it
     */
    long backwardWorkspace(RecurrentShape shape);

    /** {@return how many bytes the random numbers' state takes} */
    long dropoutBytes();

    /**
     * Starts the random numbers anew.
     *
     * @param dropout
     *            whose state is written
     * @param seed
     *            the same seed gives the same numbers
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void seedDropout(RecurrentShape.Dropout dropout, long seed, long stream);

    /**
     * Outputs, last states and cells.
     *
     * @param shape
     *            the network and its batch
     * @param training
     *            whether backward may follow
     * @param data
     *            what is read and written
     * @param memory
     *            of the sizes that {@link #sizes} told
     * @param stream
     *            handle of the stream that runs it; 0 is the default stream
     */
    void forward(RecurrentShape shape, boolean training, Data data, Memory memory, long stream);

    /**
     * Gradients of inputs, states and cells.
     *
     * @param shape
     *            as of forward
     * @param data
     *            as of forward; inputs are not read
     * @param grads
     *            at the places of what they are gradients of; given are those of y, hy and cy
     * @param memory
     *            a workspace of {@link #backwardWorkspace}, and forward's reserve, which is changed
     * @param stream
     *            handle of the stream that runs it; 0 is the default stream
     */
    void backwardData(RecurrentShape shape, Data data, Data grads, Memory memory, long stream);

    /**
     * Adds gradients of the weights; after {@link #backwardData}, with its reserve.
     *
     * @param shape
     *            as of forward
     * @param data
     *            as of forward; weights are not read
     * @param gradWeights
     *            address of a block like that of the weights
     * @param memory
     *            as of {@link #backwardData}
     * @param stream
     *            handle of the stream that runs it; 0 is the default stream
     */
    void backwardWeights(RecurrentShape shape, Data data, long gradWeights, Memory memory, long stream);
}
