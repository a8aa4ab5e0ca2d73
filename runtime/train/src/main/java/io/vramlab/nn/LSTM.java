package io.vramlab.nn;

import io.vramlab.tensor.Recurrent;
import io.vramlab.tensor.Tensor;

/**
 * Long short-term memory (Hochreiter and Schmidhuber, 1997). {@code call(x)} gives the outputs of all times, {@code callWithState(x)} the last
 * states too, as PyTorch's {@code output, (h, c) = lstm(x)}; x is [times, batch, input], or without the batch.
 */
public final class LSTM extends RecurrentNetwork {

    /** One layer. */
    public LSTM(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, new RecurrentOptions());
    }

    /** Several layers. */
    public LSTM(long inputSize, long hiddenSize, int numLayers) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers));
    }

    /** With all, in PyTorch's order. */
    public LSTM(long inputSize, long hiddenSize, int numLayers, boolean bias, boolean batchFirst, double dropout,
            boolean bidirectional) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers).bias(bias).batchFirst(batchFirst)
                .dropout(dropout).bidirectional(bidirectional));
    }

    /** With options by name. */
    public LSTM(long inputSize, long hiddenSize, RecurrentOptions options) {
        super(Recurrent.Kind.LSTM, 4, inputSize, hiddenSize, options);
    }

    /** Outputs, last states and last cells, from states and cells [layers x directions, batch, …]; null for zeros. */
    public Tensor[] call(Tensor x, Tensor h0, Tensor c0) {
        return run(x, h0, c0);
    }
}
