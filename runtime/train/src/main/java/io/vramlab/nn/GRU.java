package io.vramlab.nn;

import io.vramlab.tensor.Recurrent;
import io.vramlab.tensor.Tensor;

/**
 * Gated recurrent units (Cho et al., 2014). {@code call(x)} gives the outputs of all times, {@code callWithState(x)} the last
 * states too, as PyTorch's {@code output, h = gru(x)}; x is [times, batch, input], or without the batch.
 */
public final class GRU extends RecurrentNetwork {

    /** One layer. */
    public GRU(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, new RecurrentOptions());
    }

    /** Several layers. */
    public GRU(long inputSize, long hiddenSize, int numLayers) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers));
    }

    /** With all, in PyTorch's order. */
    public GRU(long inputSize, long hiddenSize, int numLayers, boolean bias, boolean batchFirst, double dropout,
            boolean bidirectional) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers).bias(bias).batchFirst(batchFirst)
                .dropout(dropout).bidirectional(bidirectional));
    }

    /** With options by name. */
    public GRU(long inputSize, long hiddenSize, RecurrentOptions options) {
        super(Recurrent.Kind.GRU, 3, inputSize, hiddenSize, options);
    }

    /** Outputs and last states, from states [layers x directions, batch, hidden]; null for zeros. */
    public Tensor[] call(Tensor x, Tensor h0) {
        return run(x, h0, null);
    }
}
