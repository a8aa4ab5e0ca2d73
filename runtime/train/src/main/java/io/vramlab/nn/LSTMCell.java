package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** One step of an {@link LSTM}: {@code call(x, h, c)} gives the next state and cells. */
public final class LSTMCell extends RecurrentCell {

    private static final int GATES = 4;

    /** With biases. */
    public LSTMCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** With or without biases. */
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

    /** The next state and cells, from zeros. */
    public Tensor[] callWithState(Tensor x) {
        try (Tensor zeros = zeros(x)) {
            return call(x, zeros, zeros);
        }
    }

    /** The next state and cells [batch, hidden]. */
    public Tensor[] call(Tensor x, Tensor h, Tensor c) {
        return Functional.lstmCell(x, h, c, weightIh, weightHh, biasIh, biasHh);
    }
}
