package io.vramlab.tensor;

import io.vramlab.tensor.core.AutocastMode;

/** {@link Functional}'s steps of recurrent networks. Biases are null where there are none. */
abstract class RecurrentFunctions extends WindowFunctions {

    /** Next state and cells [batch, hidden] of an LSTM; weights [4 hidden, …]. */
    public static Tensor[] lstmCell(Tensor x, Tensor hidden, Tensor cells, Tensor weightIh, Tensor weightHh,
            Tensor biasIh, Tensor biasHh) {
        return Calls.several(a -> AutocastMode.lowerSeveral(RecurrentCells::lstm, a), x, hidden, cells, weightIh,
                weightHh, biasIh, biasHh);
    }

    /** Next state [batch, hidden] of a GRU; weights [3 hidden, …]. */
    public static Tensor gruCell(Tensor x, Tensor hidden, Tensor weightIh, Tensor weightHh, Tensor biasIh,
            Tensor biasHh) {
        return Calls.lower(RecurrentCells::gru, x, hidden, weightIh, weightHh, biasIh, biasHh);
    }

    /** tanh of what input and state [batch, hidden] give. */
    public static Tensor rnnTanhCell(Tensor x, Tensor hidden, Tensor weightIh, Tensor weightHh, Tensor biasIh,
            Tensor biasHh) {
        return Calls.lower(a -> RecurrentCells.simple(Recurrent.Kind.RNN_TANH, a), x, hidden, weightIh, weightHh,
                biasIh, biasHh);
    }

    /** The positive part of what input and state [batch, hidden] give. */
    public static Tensor rnnReluCell(Tensor x, Tensor hidden, Tensor weightIh, Tensor weightHh, Tensor biasIh,
            Tensor biasHh) {
        return Calls.lower(a -> RecurrentCells.simple(Recurrent.Kind.RNN_RELU, a), x, hidden, weightIh, weightHh,
                biasIh, biasHh);
    }
}
