package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * One step of a {@link GRU}: {@code call(x, h)} gives the next state. Parameters: {@code weightIh} [3 hidden, input],
 * {@code weightHh} [3 hidden, hidden], and biases [3 hidden]. On a GPU backward holds 11 numbers for each of the next
 * state, beside inputs and results, as PyTorch's fused cell.
 */
public class GRUCell extends RNNCellBase {

    private static final int GATES = 3;

    /**
     * With biases.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     */
    public GRUCell(long inputSize, long hiddenSize) {
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
    public GRUCell(long inputSize, long hiddenSize, boolean bias) {
        super(GATES, inputSize, hiddenSize, bias);
    }

    /** From a state of zeros. */
    @Override
    public Tensor forward(Tensor x) {
        try (Tensor zeros = zeros(x)) {
            return call(x, zeros);
        }
    }

    /**
     * {@return the next state [batch, hidden]}
     *
     * @param x
     *            [batch, input]
     * @param h
     *            the state before, [batch, hidden]
     */
    public Tensor call(Tensor x, Tensor h) {
        return Functional.gruCell(x, h, weightIh, weightHh, biasIh, biasHh);
    }
}
