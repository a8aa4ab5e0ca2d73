package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * One step of an {@link LSTM}: {@code call(x, h, c)} gives the next state and cells. Parameters: {@code weightIh} [4
 * hidden, input], {@code weightHh} [4 hidden, hidden], and biases [4 hidden]. On a GPU backward holds 12 numbers for
 * each of the next state, beside inputs and results, as PyTorch's fused cell.
 */
public class LSTMCell extends RNNCellBase {

    private static final int GATES = 4;

    /**
     * With biases.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     */
    public LSTMCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /**
     * With or without biases.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @param bias
     *            whether there are biases; true by default
     */
    public LSTMCell(long inputSize, long hiddenSize, boolean bias) {
        super(GATES, inputSize, hiddenSize, bias);
    }

    /** The next state alone, from zeros. */
    @Override
    public Tensor forward(Tensor x) {
        Tensor[] next = callWithState(x);
        next[1].close();
        return next[0];
    }

    /**
     * {@return the next state and cells, from zeros}
     *
     * @param x
     *            [batch, input]
     */
    public Tensor[] callWithState(Tensor x) {
        try (Tensor zeros = zeros(x)) {
            return call(x, zeros, zeros);
        }
    }

    /**
     * {@return the next state and cells [batch, hidden]}
     *
     * @param x
     *            [batch, input]
     * @param h
     *            the state before, [batch, hidden]
     * @param c
     *            the cells before, [batch, hidden]
     */
    public Tensor[] call(Tensor x, Tensor h, Tensor c) {
        return Functional.lstmCell(x, h, c, weightIh, weightHh, biasIh, biasHh);
    }
}
