package io.vramlab.nn;

import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;

/**
 * Self-attention, attention to an encoder's output, and a two-layer network, each with a shortcut and a layer norm (Vaswani
 * et al., 2017), over [length, batch, width], or [batch, length, width] with {@link TransformerOptions#batchFirst}.
 *
 * <p>
 * Parameters: two {@link MultiheadAttention}s, {@link #linear1} [inside, width], {@link #linear2} [width, inside],
 * three norms [width].
 */
public class TransformerDecoderLayer extends Module {

    /** Attention to itself. */
    public final MultiheadAttention selfAttn;
    /** Attention to the encoder's output. */
    public final MultiheadAttention multiheadAttn;
    /** Widens. */
    public final Linear linear1;
    /** Between the two. */
    public final Dropout dropout;
    /** Narrows. */
    public final Linear linear2;
    /** Of self-attention. */
    public final LayerNorm norm1;
    /** Of attention to the encoder's output. */
    public final LayerNorm norm2;
    /** Of the network. */
    public final LayerNorm norm3;
    /** Of self-attention's result. */
    public final Dropout dropout1;
    /** Of the other attention's result. */
    public final Dropout dropout2;
    /** Of the network's result. */
    public final Dropout dropout3;
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
    public TransformerDecoderLayer(long dModel, long nhead) {
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
    public TransformerDecoderLayer(long dModel, long nhead, long dimFeedforward) {
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
    public TransformerDecoderLayer(long dModel, long nhead, long dimFeedforward, double dropout, boolean batchFirst) {
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
    public TransformerDecoderLayer(long dModel, long nhead, TransformerOptions given) {
        this.options = given.copy();
        this.selfAttn = new MultiheadAttention(dModel, nhead, options.attention());
        this.multiheadAttn = new MultiheadAttention(dModel, nhead, options.attention());
        this.linear1 = new Linear(dModel, options.dimFeedforward, options.bias);
        this.dropout = new Dropout(options.dropout);
        this.linear2 = new Linear(options.dimFeedforward, dModel, options.bias);
        this.norm1 = options.norm(dModel);
        this.norm2 = options.norm(dModel);
        this.norm3 = options.norm(dModel);
        this.dropout1 = new Dropout(options.dropout);
        this.dropout2 = new Dropout(options.dropout);
        this.dropout3 = new Dropout(options.dropout);
    }

    /** Another of the same form and values, where this one is. */
    TransformerDecoderLayer copy() {
        Clones.isExactly(this, TransformerDecoderLayer.class);
        return Clones.like(this, () -> new TransformerDecoderLayer(selfAttn.embedDim(), selfAttn.numHeads(), options));
    }

    /** Not what a decoder is for: attends to its own input, as an encoder without one does. */
    @Override
    public Tensor forward(Tensor tgt) {
        return forward(tgt, tgt, new DecoderMasks());
    }

    /**
     * Writes the target from the encoder's output.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes do not fit each other
     */
    public Tensor call(Tensor tgt, Tensor memory) {
        return call(tgt, memory, new DecoderMasks());
    }

    /**
     * With a mask of the target, [l, l], or null.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or the mask do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, Tensor tgtMask) {
        return call(tgt, memory, new DecoderMasks().tgtMask(tgtMask));
    }

    /**
     * With masks, in PyTorch's order, any of them null.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param tgtMask
     *            [l, l] or [n heads, l, l], or null
     * @param memoryMask
     *            of the encoder's output, [l, s] or [n heads, l, s], or null
     * @param tgtKeyPaddingMask
     *            [n, l], or null
     * @param memoryKeyPaddingMask
     *            of the encoder's output, [n, s], or null
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or masks do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, Tensor tgtMask, Tensor memoryMask, Tensor tgtKeyPaddingMask,
            Tensor memoryKeyPaddingMask) {
        return call(tgt, memory, new DecoderMasks().tgtMask(tgtMask).memoryMask(memoryMask)
                .tgtKeyPaddingMask(tgtKeyPaddingMask).memoryKeyPaddingMask(memoryKeyPaddingMask));
    }

    /**
     * With masks by name.
     *
     * @param tgt
     *            [l, n, width], with batchFirst [n, l, width]
     * @param memory
     *            the encoder's output, [s, n, width], with batchFirst [n, s, width]
     * @param masks
     *            the decoder's, by name
     * @return of the target's shape
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or masks do not fit
     */
    public Tensor call(Tensor tgt, Tensor memory, DecoderMasks masks) {
        try (Scope scope = Scope.inner()) {
            return scope.keep(forward(tgt, memory, masks));
        }
    }

    private Tensor forward(Tensor tgt, Tensor memory, DecoderMasks masks) {
        try (Ref<Tensor> x = new Ref<>()) {
            if (options.normFirst) {
                x.set(sum(tgt, self(norm1.call(tgt), true, masks)));
                x.set(sum(x.get(), cross(norm2.call(x.get()), true, memory, masks)));
                x.set(sum(x.get(), network(norm3.call(x.get()), true)));
                return x.take();
            }
            x.set(normed(norm1, tgt, self(tgt, false, masks)));
            x.set(normed(norm2, x.get(), cross(x.get(), false, memory, masks)));
            x.set(normed(norm3, x.get(), network(x.get(), false)));
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

    private Tensor self(Tensor x, boolean owned, DecoderMasks masks) {
        return dropped(dropout1, x, owned, selfAttn.call(x, x, x, masks.tgtKeyPaddingMask, false, masks.tgtMask, true,
                masks.tgtIsCausal != null && masks.tgtIsCausal)[0]);
    }

    private Tensor cross(Tensor x, boolean owned, Tensor memory, DecoderMasks masks) {
        return dropped(dropout2, x, owned, multiheadAttn.call(x, memory, memory, masks.memoryKeyPaddingMask, false,
                masks.memoryMask, true, masks.memoryIsCausal)[0]);
    }

    private Tensor network(Tensor x, boolean owned) {
        return dropped(dropout3, x, owned, FeedForward.of(linear1, options.function, dropout, linear2, x));
    }

    private static Tensor dropped(Dropout dropout, Tensor x, boolean owned, Tensor y) {
        if (owned) {
            x.close();
        }
        try (y) {
            return dropout.call(y);
        }
    }
}
