package io.vramlab.nn;

/** What a recurrent network may be told by name: {@code new LSTM(200, 200, new RecurrentOptions().numLayers(2).dropout(.5))}. */
public final class RecurrentOptions {

    int numLayers = 1;
    boolean bias = true;
    boolean batchFirst;
    double dropout;
    boolean bidirectional;
    long projSize;
    String nonlinearity = "tanh";

    /** One layer, one direction, biases, times first, nothing dropped. */
    public RecurrentOptions() {
    }

    /**
     * Layers, one above another.
     *
     * @param layers
     *            positive; 1 by default
     * @return this
     */
    public RecurrentOptions numLayers(int layers) {
        numLayers = layers;
        return this;
    }

    /**
     * Whether there are biases.
     *
     * @param wanted
     *            true by default
     * @return this
     */
    public RecurrentOptions bias(boolean wanted) {
        bias = wanted;
        return this;
    }

    /**
     * Whether inputs are [batch, times, input] instead of [times, batch, input].
     *
     * @param first
     *            false by default
     * @return this
     */
    public RecurrentOptions batchFirst(boolean first) {
        batchFirst = first;
        return this;
    }

    /**
     * Probability with which a layer's outputs are dropped before the next, when training.
     *
     * @param probability
     *            in [0, 1]; 0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is not in [0, 1]
     */
    public RecurrentOptions dropout(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    "dropout should be a number in range [0, 1] representing the probability "
                            + "of an element being zeroed, but " + probability + " was given.");
        }
        dropout = probability;
        return this;
    }

    /**
     * Whether a second network reads backwards.
     *
     * @param both
     *            false by default
     * @return this
     */
    public RecurrentOptions bidirectional(boolean both) {
        bidirectional = both;
        return this;
    }

    /**
     * Of an LSTM: the width that its outputs are projected to.
     *
     * @param width
     *            less than the hidden size; 0, the default, for no projection
     * @return this
     */
    public RecurrentOptions projSize(long width) {
        projSize = width;
        return this;
    }

    /**
     * Of an RNN: {@code tanh} or {@code relu}.
     *
     * @param name
     *            {@code tanh} by default; looked at when the network is made
     * @return this
     */
    public RecurrentOptions nonlinearity(String name) {
        nonlinearity = name;
        return this;
    }
}
