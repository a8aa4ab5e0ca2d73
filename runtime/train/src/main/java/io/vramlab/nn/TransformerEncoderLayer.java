package io.vramlab.nn;

import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import java.util.function.UnaryOperator;

/**
 * Self-attention and a two-layer network, each with a shortcut and a layer norm (Vaswani et al., 2017), over [batch,
 * length, width]. The norms stand before their part (as in GPT-2) or after it (as in the paper, and PyTorch's default).
 */
public final class TransformerEncoderLayer extends Module {

    private static final long FEED_FORWARD = 2048;
    private static final double DROPOUT = 0.1;

    /** Attention. */
    public final MultiheadAttention selfAttn;
    /** Widens. */
    public final Linear linear1;
    /** Narrows. */
    public final Linear linear2;
    /** Of the attention part. */
    public final LayerNorm norm1;
    /** Of the network part. */
    public final LayerNorm norm2;
    private final Dropout dropout;
    private final Dropout dropout1;
    private final Dropout dropout2;
    private final boolean normFirst;
    private final boolean gelu;

    /** PyTorch's defaults: inner width 2,048, dropout 0.1, relu, norms after. */
    public TransformerEncoderLayer(long width, long heads) {
        this(width, heads, FEED_FORWARD, DROPOUT, false, false, false);
    }

    /** With all choices. */
    public TransformerEncoderLayer(long width, long heads, long feedForward, double dropout, boolean gelu,
            boolean normFirst, boolean causal) {
        this.selfAttn = new MultiheadAttention(width, heads, dropout, causal);
        this.linear1 = new Linear(width, feedForward);
        this.linear2 = new Linear(feedForward, width);
        this.norm1 = new LayerNorm(width);
        this.norm2 = new LayerNorm(width);
        this.dropout = new Dropout(dropout);
        this.dropout1 = new Dropout(dropout);
        this.dropout2 = new Dropout(dropout);
        this.gelu = gelu;
        this.normFirst = normFirst;
    }

    @Override
    public Tensor forward(Tensor input) {
        Ref<Tensor> x = new Ref<>();
        x.set(part(input, norm1, t -> through(t, selfAttn, dropout1)));
        x.set(part(x.get(), norm2, this::feedForward));
        return x.take();
    }

    /** The part added to what it started from, with the norm on its side of the sum. */
    private Tensor part(Tensor x, LayerNorm norm, UnaryOperator<Tensor> function) {
        if (normFirst) {
            try (Tensor normed = norm.call(x); Tensor y = function.apply(normed)) {
                return x.add(y);
            }
        }
        try (Tensor y = function.apply(x); Tensor sum = x.add(y)) {
            return norm.call(sum);
        }
    }

    private Tensor feedForward(Tensor x) {
        Ref<Tensor> h = new Ref<>(linear1.call(x));
        h.set(gelu ? h.get().gelu() : h.get().relu());
        h.set(dropout.call(h.get()));
        h.set(linear2.call(h.get()));
        h.set(dropout2.call(h.get()));
        return h.take();
    }

    private static Tensor through(Tensor x, Module first, Module second) {
        try (Tensor y = first.call(x)) {
            return second.call(y);
        }
    }
}
