package io.vramlab.nn;

import io.vramlab.tensor.Recurrent;
import io.vramlab.tensor.Tensor;

/**
 * Gated recurrent units (Cho et al., 2014). {@code call(x)} gives the outputs of all times, {@code callWithState(x)} the last
 * states too, as PyTorch's {@code output, h = gru(x)}; x is [times, batch, input], or without the batch.
 *
 * <p>
 * Outputs are [times, batch, directions x hidden], states [layers x directions, batch, hidden]. One call of cuDNN's
 * in PyTorch: forward keeps its reserve for backward, and takes its workspace, by docs/footprint.md, "Recurrent
 * layers".
 */
public class GRU extends RNNBase {

    /**
     * One layer.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @throws IllegalArgumentException
     *             if a size is not positive
     */
    public GRU(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, new RecurrentOptions());
    }

    /**
     * Several layers.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @param numLayers
     *            layers, one above another; 1 by default
     * @throws IllegalArgumentException
     *             if a size is not positive
     */
    public GRU(long inputSize, long hiddenSize, int numLayers) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers));
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @param numLayers
     *            layers, one above another; 1 by default
     * @param bias
     *            whether there are biases; true by default
     * @param batchFirst
     *            whether inputs are [batch, times, input] instead of [times, batch, input], the default
     * @param dropout
     *            probability with which a layer's outputs are dropped before the next when training; 0 by default
     * @param bidirectional
     *            whether a second network reads backwards; false by default
     * @throws IllegalArgumentException
     *             if a size is not positive or the dropout not in [0, 1]
     */
    public GRU(long inputSize, long hiddenSize, int numLayers, boolean bias, boolean batchFirst, double dropout,
            boolean bidirectional) {
        this(inputSize, hiddenSize, new RecurrentOptions().numLayers(numLayers).bias(bias).batchFirst(batchFirst)
                .dropout(dropout).bidirectional(bidirectional));
    }

    /**
     * With options by name.
     *
     * @param inputSize
     *            width of the inputs, positive
     * @param hiddenSize
     *            width of states and outputs, positive
     * @param options
     *            layers, directions, dropout and so on by name
     * @throws IllegalArgumentException
     *             if a size is not positive, or a projection was asked for, which an LSTM alone has
     */
    public GRU(long inputSize, long hiddenSize, RecurrentOptions options) {
        super(Recurrent.Kind.GRU, 3, inputSize, hiddenSize, options);
    }

    /**
     * Outputs and last states, from given states.
     *
     * @param x
     *            [times, batch, input] or as the options say, or [times, input]
     * @param h0
     *            [layers x directions, batch, hidden], or without the batch; null for zeros
     * @return two tensors: the outputs [times, batch, directions x hidden] and the last states, shaped as h0
     * @throws IllegalArgumentException
     *             if x has other dimensions or another width
     */
    public Tensor[] call(Tensor x, Tensor h0) {
        return run(x, h0, null);
    }
}
