package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** One step of a {@link GRU}: {@code call(x, h)} gives the next state. */
public final class GRUCell extends RecurrentCell {

    private static final int GATES = 3;

    /** With biases. */
    public GRUCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** With or without biases. */
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

    /** The next state [batch, hidden]. */
    public Tensor call(Tensor x, Tensor h) {
        return Functional.gruCell(x, h, weightIh, weightHh, biasIh, biasHh);
    }
}
