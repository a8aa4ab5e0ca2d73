package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.GradMode;

/**
 * Self-attention and a two-layer network, each with a shortcut and a layer norm (Vaswani et al., 2017), over [length, batch,
 * width], or [batch, length, width] with {@link TransformerOptions#batchFirst}. In inference it takes PyTorch's fast path.
 *
 * <p>
 * Parameters: {@link MultiheadAttention}'s, {@link #linear1} [inside, width], {@link #linear2} [width, inside], two
 * norms [width].
 */
public class TransformerEncoderLayer extends Module {

    /** Attention. */
    public final MultiheadAttention selfAttn;
    /** Widens. */
    public final Linear linear1;
    /** Between the two. */
    public final Dropout dropout;
    /** Narrows. */
    public final Linear linear2;
    /** Of the attention part. */
    public final LayerNorm norm1;
    /** Of the network part. */
    public final LayerNorm norm2;
    /** Of the attention part's result. */
    public final Dropout dropout1;
    /** Of the network's result. */
    public final Dropout dropout2;
    private final TransformerOptions options;

    /**
     * PyTorch's defaults: see {@link TransformerOptions}.
     *
     * @param dModel
     *            width of inputs and outputs
     * @param nhead
     *            heads, which divide dModel
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public TransformerEncoderLayer(long dModel, long nhead) {
        this(dModel, nhead, new TransformerOptions());
    }

    /**
     * With another width inside.
     *
     * @param dModel
     *            width of inputs and outputs
     * @param nhead
     *            heads, which divide dModel
     * @param dimFeedforward
     *            width of the network inside; 2,048 by default
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public TransformerEncoderLayer(long dModel, long nhead, long dimFeedforward) {
        this(dModel, nhead, new TransformerOptions().dimFeedforward(dimFeedforward));
    }

    /**
     * With another width inside and dropout, over [batch, length, width] if so wanted.
     *
     * @param dModel
     *            width of inputs and outputs
     * @param nhead
     *            heads, which divide dModel
     * @param dimFeedforward
     *            width of the network inside; 2,048 by default
     * @param dropout
     *            probability with which an element is dropped while training; 0.1 by default
     * @param batchFirst
     *            whether inputs are [batch, length, width]; false by default
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads, or the dropout not in [0, 1]
     */
    public TransformerEncoderLayer(long dModel, long nhead, long dimFeedforward, double dropout, boolean batchFirst) {
        this(dModel, nhead,
                new TransformerOptions().dimFeedforward(dimFeedforward).dropout(dropout).batchFirst(batchFirst));
    }

    /**
     * With whatever else.
     *
     * @param dModel
     *            width of inputs and outputs
     * @param nhead
     *            heads, which divide dModel
     * @param given
     *            width inside, dropout, activation and so on by name; copied
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public TransformerEncoderLayer(long dModel, long nhead, TransformerOptions given) {
        this.options = given.copy();
        this.selfAttn = new MultiheadAttention(dModel, nhead, options.attention());
        this.linear1 = new Linear(dModel, options.dimFeedforward, options.bias);
        this.dropout = new Dropout(options.dropout);
        this.linear2 = new Linear(options.dimFeedforward, dModel, options.bias);
        this.norm1 = options.norm(dModel);
        this.norm2 = options.norm(dModel);
        this.dropout1 = new Dropout(options.dropout);
        this.dropout2 = new Dropout(options.dropout);
    }

    /** Another of the same form and values, where this one is. */
    TransformerEncoderLayer copy() {
        Clones.isExactly(this, TransformerEncoderLayer.class);
        return Clones.like(this, () -> new TransformerEncoderLayer(selfAttn.embedDim(), selfAttn.numHeads(), options));
    }

    @Override
    public Tensor forward(Tensor src) {
        return forward(src, null, null, false);
    }

    /**
     * With a mask [l, l] or [n heads, l, l], or null.
     *
     * @param src
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param srcMask
     *            [l, l] or [n heads, l, l], or null
     * @return of the source's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if the mask does not fit
     */
    public Tensor call(Tensor src, Tensor srcMask) {
        return call(src, srcMask, null, false);
    }

    /**
     * With masks or null.
     *
     * @param src
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param srcMask
     *            [l, l] or [n heads, l, l], or null
     * @param srcKeyPaddingMask
     *            [n, l], or null
     * @return of the source's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if a mask does not fit
     */
    public Tensor call(Tensor src, Tensor srcMask, Tensor srcKeyPaddingMask) {
        return call(src, srcMask, srcKeyPaddingMask, false);
    }

    /**
     * With masks.
     *
     * @param src
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param srcMask
     *            [l, l] or [n heads, l, l], or null
     * @param srcKeyPaddingMask
     *            [n, l], or null
     * @param isCausal
     *            hint that srcMask is the causal mask
     * @return of the source's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if a mask does not fit
     */
    public Tensor call(Tensor src, Tensor srcMask, Tensor srcKeyPaddingMask, boolean isCausal) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(forward(src, srcMask, srcKeyPaddingMask, isCausal));
        }
    }

    private Tensor forward(Tensor src, Tensor srcMask, Tensor srcKeyPaddingMask, boolean isCausal) {
        try (PythonFrame frame = new PythonFrame()) {
            Ref<Tensor> maskHeld = frame.name();
            Ref<Tensor> paddingHeld = frame.name();
            Tensor padding = AttentionMasks.additive(srcKeyPaddingMask, "srcKeyPaddingMask", src.dtype());
            paddingHeld.set(padding == srcKeyPaddingMask ? null : padding);
            Tensor mask = AttentionMasks.additive(srcMask, "srcMask", src.dtype());
            maskHeld.set(mask == srcMask ? null : mask);
            if (isFast(src)) {
                return fast(src, mask, padding);
            }
            if (options.normFirst) {
                Ref<Tensor> x = frame.name();
                x.set(sum(src, attention(norm1.call(src), true, mask, padding, isCausal)));
                x.set(sum(x.get(), network(norm2.call(x.get()), true)));
                return x.take();
            }
            Ref<Tensor> x = frame.name();
            x.set(normed(norm1, src, attention(src, false, mask, padding, isCausal)));
            x.set(normed(norm2, x.get(), network(x.get(), false)));
            return x.take();
        }
    }

    private static Tensor sum(Tensor x, Tensor part) {
        try (part) {
            return x.add(part);
        }
    }

    private static Tensor normed(LayerNorm norm, Tensor x, Tensor part) {
        try (Tensor sum = sum(x, part)) {
            return norm.call(sum);
        }
    }

    private Tensor attention(Tensor x, boolean owned, Tensor mask, Tensor padding, boolean isCausal) {
        Tensor y = selfAttn.call(x, x, x, padding, false, mask, true, isCausal)[0];
        if (owned) {
            x.close();
        }
        try (y) {
            return dropout1.call(y);
        }
    }

    private Tensor network(Tensor x, boolean owned) {
        Tensor y = FeedForward.of(linear1, options.function, dropout, linear2, x);
        if (owned) {
            x.close();
        }
        try (y) {
            return dropout2.call(y);
        }
    }

    private boolean isFast(Tensor src) {
        boolean plain = selfAttn.batchFirst() && options.bias
                && options.activation != TransformerOptions.Activation.OTHER && selfAttn.numHeads() % 2 == 0;
        if (src.dim() != 3 || isTraining() || !plain || AutocastMode.dtype() != null) {
            return false;
        }
        return !GradMode.isEnabled() || !src.requiresGrad() && parameters().stream().noneMatch(Tensor::requiresGrad);
    }

    /** PyTorch's _transformer_encoder_layer_fwd. */
    private Tensor fast(Tensor src, Tensor mask, Tensor padding) {
        boolean gelu = options.activation == TransformerOptions.Activation.GELU;
        try (Tensor merged = selfAttn.merged(mask, padding, src);
                Ref<Tensor> rest = new Ref<>();
                Ref<Tensor> x = new Ref<>()) {
            try (Tensor first = options.normFirst ? norm1.forward(src) : null) {
                x.set(Functional.nativeMultiHeadAttention(first == null ? src : first, selfAttn.numHeads(),
                        selfAttn.inProjWeight, selfAttn.inProjBias, selfAttn.outProj.weight, selfAttn.outProj.bias,
                        merged, false, true)[0]);
            }
            x.get().add_(src);
            if (!options.normFirst) {
                x.set(norm1.forward(x.get()));
            }
            rest.set(x.take());
            Tensor last;
            try (Tensor second = options.normFirst ? norm2.forward(rest.get()) : null) {
                last = FeedForward.fast(linear1, gelu, linear2, second == null ? rest.get() : second);
            }
            x.set(last);
            x.get().add_(rest.get());
            if (!options.normFirst) {
                x.set(norm2.forward(x.get()));
            }
            return x.take();
        }
    }
}
