package io.vramlab.device;

/**
 * A recurrent network over one batch, as a library is asked for it. Sequences come [times, batch, …], or packed: the rows of
 * each time one after another, the longest sequence first.
 *
 * @param kind
 *            what a step computes
 * @param dtype
 *            of inputs, states and weights
 * @param layers
 *            one above another
 * @param bidirectional
 *            whether a second one reads backwards
 * @param input
 *            width of the input
 * @param hidden
 *            width of a state
 * @param projection
 *            width that an LSTM's outputs are projected to; 0 for none
 * @param packed
 *            whether sequences are packed
 * @param lengths
 *            of each sequence; all the same where they are not packed
 * @param dropout
 *            of the outputs between layers, or null for none
 */
public record RecurrentShape(Kind kind, DType dtype, int layers, boolean bidirectional, int input, int hidden,
        int projection, boolean packed, int[] lengths, Dropout dropout) {

    /** What a step computes. */
    public enum Kind {
        /** The positive part of the sum of what input and state give. */
        RNN_RELU,
        /** tanh of the sum. */
        RNN_TANH,
        /** With cells. */
        LSTM,
        /** With gates and no cells. */
        GRU
    }

    /**
     * Dropout between layers.
     *
     * @param p
     *            probability
     * @param state
     *            address of the library's random numbers
     * @param bytes
     *            their size
     */
    public record Dropout(double p, long state, long bytes) {
    }

    /** {@return the length of the longest sequence} */
    public int times() {
        int most = 0;
        for (int length : lengths) {
            most = Math.max(most, length);
        }
        return most;
    }

    /** {@return how many sequences there are} */
    public int batch() {
        return lengths.length;
    }

    /** {@return how many layers there are, those of each direction counted} */
    public int directedLayers() {
        return layers * (bidirectional ? 2 : 1);
    }

    /** {@return the width of what one direction of a layer gives} */
    public int output() {
        return projection > 0 ? projection : hidden;
    }

    /** {@return how many weights a layer and direction has: w_ih, w_hh, b_ih, b_hh and, with a projection, w_hr} */
    public int weights() {
        return projection > 0 ? 5 : 4;
    }
}
