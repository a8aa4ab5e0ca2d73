package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * What layers of a transformer, and {@link Transformer}, may be told by name:
 * {@code new TransformerEncoderLayer(512, 8, new TransformerOptions().dimFeedforward(1024).batchFirst(true))}.
 */
public final class TransformerOptions {

    private static final long FEED_FORWARD = 2048;
    private static final double DROPOUT = 0.1;
    private static final double EPS = 1e-5;

    /** What stands between the two layers of the network. */
    enum Activation {
        RELU, GELU, OTHER
    }

    long dimFeedforward = FEED_FORWARD;
    double dropout = DROPOUT;
    Activation activation = Activation.RELU;
    UnaryOperator<Tensor> function = Tensor::relu;
    double layerNormEps = EPS;
    boolean batchFirst;
    boolean normFirst;
    boolean bias = true;

    /** PyTorch's defaults: 2,048 wide inside, dropout 0.1, ReLU, [length, batch, width], norms after. */
    public TransformerOptions() {
    }

    /**
     * Width of the network inside.
     *
     * @param width
     *            2,048 by default
     * @return this
     */
    public TransformerOptions dimFeedforward(long width) {
        dimFeedforward = width;
        return this;
    }

    /**
     * Probability of dropout everywhere.
     *
     * @param p
     *            in [0, 1]; 0.1 by default
     * @return this
     * @throws IllegalArgumentException
     *             if p is not in [0, 1]
     */
    public TransformerOptions dropout(double p) {
        dropout = Dropout.requireProbability(p);
        return this;
    }

    /**
     * The activation between the two layers of the network, by name.
     *
     * @param name
     *            {@code relu}, the default, or {@code gelu}, in any case
     * @return this
     * @throws IllegalArgumentException
     *             if it is neither {@code relu} nor {@code gelu}
     */
    public TransformerOptions activation(String name) {
        switch (name.toLowerCase(Locale.ROOT)) {
            case "relu" -> {
                activation = Activation.RELU;
                function = Tensor::relu;
            }
            case "gelu" -> {
                activation = Activation.GELU;
                function = Tensor::gelu;
            }
            default -> throw new IllegalArgumentException("activation should be relu/gelu, not " + name
                    + ": give any other as a function.");
        }
        return this;
    }

    /**
     * The activation as a function.
     *
     * <p>
     * PyTorch's fast path in inference is taken with the two named ones alone.
     *
     * @param other
     *            of an element each
     * @return this
     */
    public TransformerOptions activation(UnaryOperator<Tensor> other) {
        activation = Activation.OTHER;
        function = other;
        return this;
    }

    /**
     * What the norms add to the variance.
     *
     * @param eps
     *            1e-5 by default
     * @return this
     */
    public TransformerOptions layerNormEps(double eps) {
        layerNormEps = eps;
        return this;
    }

    /**
     * Whether inputs are [batch, length, width] instead of [length, batch, width].
     *
     * @param on
     *            false by default
     * @return this
     */
    public TransformerOptions batchFirst(boolean on) {
        batchFirst = on;
        return this;
    }

    /**
     * Whether norms stand before their part (as in GPT-2) or after it.
     *
     * @param on
     *            false, after it, by default
     * @return this
     */
    public TransformerOptions normFirst(boolean on) {
        normFirst = on;
        return this;
    }

    /**
     * Whether linear layers and norms have biases.
     *
     * @param on
     *            true by default
     * @return this
     */
    public TransformerOptions bias(boolean on) {
        bias = on;
        return this;
    }

    AttentionOptions attention() {
        return new AttentionOptions().dropout(dropout).bias(bias).batchFirst(batchFirst);
    }

    LayerNorm norm(long width) {
        return new LayerNorm(layerNormEps, bias, width);
    }

    TransformerOptions copy() {
        TransformerOptions made = new TransformerOptions();
        made.dimFeedforward = dimFeedforward;
        made.dropout = dropout;
        made.activation = activation;
        made.function = function;
        made.layerNormEps = layerNormEps;
        made.batchFirst = batchFirst;
        made.normFirst = normFirst;
        made.bias = bias;
        return made;
    }
}
