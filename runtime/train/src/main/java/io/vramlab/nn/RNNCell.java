package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * One step of an {@link RNN}: {@code call(x, h)} gives the next state. Parameters: {@code weightIh} [hidden, input],
 * {@code weightHh} [hidden, hidden], and biases [hidden].
 */
public class RNNCell extends RNNCellBase {

    private final boolean relu;

    /**
     * Of tanh, with biases.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     */
    public RNNCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /**
     * Of tanh, with or without biases.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @param bias
     *            whether there are biases; true by default
     */
    public RNNCell(long inputSize, long hiddenSize, boolean bias) {
        this(inputSize, hiddenSize, bias, "tanh");
    }

    /**
     * Of {@code tanh} or {@code relu}.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @param bias
     *            whether there are biases; true by default
     * @param nonlinearity
     *            {@code tanh}, the default, or {@code relu}
     * @throws IllegalArgumentException
     *             if the nonlinearity is another word
     */
    public RNNCell(long inputSize, long hiddenSize, boolean bias, String nonlinearity) {
        super(1, inputSize, hiddenSize, bias);
        if (!nonlinearity.equals("tanh") && !nonlinearity.equals("relu")) {
            throw new IllegalArgumentException("Unknown nonlinearity: " + nonlinearity + ". It is tanh or relu.");
        }
        relu = nonlinearity.equals("relu");
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
        return relu
                ? Functional.rnnReluCell(x, h, weightIh, weightHh, biasIh, biasHh)
                : Functional.rnnTanhCell(x, h, weightIh, weightHh, biasIh, biasHh);
    }
}
