package io.vramlab.nn;

import io.vramlab.tensor.Recurrent;
import io.vramlab.tensor.Tensor;

/**
 * A plain recurrent network (Elman, 1990), of tanh or of positive parts. {@code call(x)} gives the outputs of all times, {@code callWithState(x)} the last
 * states too, as PyTorch's {@code output, h = rnn(x)}; x is [times, batch, input], or without the batch.
 */
public final class RNN extends RecurrentNetwork {

    /** One layer. */
    public RNN(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, new RecurrentOptions());
    }

    /** Several layers. */
    public RNN(long inputSize, long hiddenSize, int numLayers) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers));
    }

    /** With all, in PyTorch's order. */
    public RNN(long inputSize, long hiddenSize, int numLayers, String nonlinearity, boolean bias, boolean batchFirst,
            double dropout,
            boolean bidirectional) {
        this(inputSize, hiddenSize,
                new RecurrentOptions().numLayers(numLayers).nonlinearity(nonlinearity).bias(bias).batchFirst(batchFirst)
                        .dropout(dropout).bidirectional(bidirectional));
    }

    /** With options by name. */
    public RNN(long inputSize, long hiddenSize, RecurrentOptions options) {
        super(kind(options.nonlinearity), 1, inputSize, hiddenSize, options);
    }

    /** Outputs and last states, from states [layers x directions, batch, hidden]; null for zeros. */
    public Tensor[] call(Tensor x, Tensor h0) {
        return run(x, h0, null);
    }

    private static Recurrent.Kind kind(String nonlinearity) {
        return switch (nonlinearity) {
            case "tanh" -> Recurrent.Kind.RNN_TANH;
            case "relu" -> Recurrent.Kind.RNN_RELU;
            default -> throw new IllegalArgumentException("Unknown nonlinearity '" + nonlinearity
                    + "'. Select from 'tanh' or 'relu'.");
        };
    }
}
