package io.vramlab.nn;

import io.vramlab.tensor.Recurrent;
import io.vramlab.tensor.Tensor;

/**
 * Long short-term memory (Hochreiter and Schmidhuber, 1997). {@code call(x)} gives the outputs of all times, {@code callWithState(x)} the last
 * states too, as PyTorch's {@code output, (h, c) = lstm(x)}; x is [times, batch, input], or without the batch.
 *
 * <p>
 * Outputs are [times, batch, directions x hidden] (with a projection directions x projection), states and cells
 * [layers x directions, batch, hidden]. One call of cuDNN's in PyTorch: forward keeps its reserve for backward, and
 * takes its workspace, by docs/footprint.md, "Recurrent layers".
 */
public class LSTM extends RNNBase {

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
    public LSTM(long inputSize, long hiddenSize) {
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
    public LSTM(long inputSize, long hiddenSize, int numLayers) {
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
    public LSTM(long inputSize, long hiddenSize, int numLayers, boolean bias, boolean batchFirst, double dropout,
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
     *             if a size is not positive, or the projection not smaller than the hidden size
     */
    public LSTM(long inputSize, long hiddenSize, RecurrentOptions options) {
        super(Recurrent.Kind.LSTM, 4, inputSize, hiddenSize, options);
    }

    /**
     * Outputs, last states and last cells, from given ones.
     *
     * @param x
     *            [times, batch, input] or as the options say, or [times, input]
     * @param h0
     *            [layers x directions, batch, hidden], or without the batch; null for zeros
     * @param c0
     *            as h0, always of the hidden size; null for zeros
     * @return three tensors: the outputs [times, batch, directions x hidden], the last states and the last cells
     * @throws IllegalArgumentException
     *             if x has other dimensions or another width
     */
    public Tensor[] call(Tensor x, Tensor h0, Tensor c0) {
        return run(x, h0, c0);
    }
}
