package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.layer.Activations.Kind;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s single steps of recurrent networks. Backward of LSTM and GRU keeps the gates, beside the factors
 * of their products; under autocast the products run in its lower precision.
 */
abstract sealed class RecurrentFunctions extends PairLossFunctions permits AttentionFunctions {

    /**
     * Next state and cells [batch, hidden] of an LSTM; weights [4 hidden, …]. As {@code torch.lstm_cell}.
     *
     * @param x
     *            [batch, input]
     * @param hidden
     *            state [batch, hidden]
     * @param cells
     *            [batch, hidden]
     * @param weightIh
     *            of the input, [gates hidden, input]: 4 gates of an LSTM, 3 of a GRU, else 1
     * @param weightHh
     *            of the state, [gates hidden, hidden]
     * @param biasIh
     *            [gates hidden], or null
     * @param biasHh
     *            [gates hidden], or null
     * @return two new tensors: next state and next cells
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor[] lstmCell(Tensor x, Tensor hidden, Tensor cells, Tensor weightIh, Tensor weightHh,
            Tensor biasIh, Tensor biasHh) {
        return Calls.several(a -> AutocastMode.lowerSeveral(RecurrentCells::lstm, a), x, hidden, cells, weightIh,
                weightHh, biasIh, biasHh);
    }

    /**
     * Next state [batch, hidden] of a GRU; weights [3 hidden, …]. As {@code torch.gru_cell}.
     *
     * @param x
     *            [batch, input]
     * @param hidden
     *            state [batch, hidden]
     * @param weightIh
     *            of the input, [gates hidden, input]: 4 gates of an LSTM, 3 of a GRU, else 1
     * @param weightHh
     *            of the state, [gates hidden, hidden]
     * @param biasIh
     *            [gates hidden], or null
     * @param biasHh
     *            [gates hidden], or null
     * @return a new tensor, the next state
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor gruCell(Tensor x, Tensor hidden, Tensor weightIh, Tensor weightHh, Tensor biasIh,
            Tensor biasHh) {
        return Calls.lower(RecurrentCells::gru, x, hidden, weightIh, weightHh, biasIh, biasHh);
    }

    /**
     * tanh of what input and state [batch, hidden] give. As {@code torch.rnn_tanh_cell}.
     *
     * @param x
     *            [batch, input]
     * @param hidden
     *            state [batch, hidden]
     * @param weightIh
     *            of the input, [gates hidden, input]: 4 gates of an LSTM, 3 of a GRU, else 1
     * @param weightHh
     *            of the state, [gates hidden, hidden]
     * @param biasIh
     *            [gates hidden], or null
     * @param biasHh
     *            [gates hidden], or null
     * @return a new tensor, the next state, which backward keeps
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor rnnTanhCell(Tensor x, Tensor hidden, Tensor weightIh, Tensor weightHh, Tensor biasIh,
            Tensor biasHh) {
        return Calls.lower(a -> RecurrentCells.simple(Recurrent.Kind.RNN_TANH, a), x, hidden, weightIh, weightHh,
                biasIh, biasHh);
    }

    /**
     * The positive part of what input and state [batch, hidden] give. As {@code torch.rnn_relu_cell}.
     *
     * @param x
     *            [batch, input]
     * @param hidden
     *            state [batch, hidden]
     * @param weightIh
     *            of the input, [gates hidden, input]: 4 gates of an LSTM, 3 of a GRU, else 1
     * @param weightHh
     *            of the state, [gates hidden, hidden]
     * @param biasIh
     *            [gates hidden], or null
     * @param biasHh
     *            [gates hidden], or null
     * @return a new tensor, the next state, which backward keeps
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor rnnReluCell(Tensor x, Tensor hidden, Tensor weightIh, Tensor weightHh, Tensor biasIh,
            Tensor biasHh) {
        return Calls.lower(a -> RecurrentCells.simple(Recurrent.Kind.RNN_RELU, a), x, hidden, weightIh, weightHh,
                biasIh, biasHh);
    }
}
