package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.type.TensorException;

/**
 * Attention by several heads (Vaswani et al., "Attention is all you need", 2017). Without weights it goes through
 * {@link Functional#scaledDotProductAttention}; with them, PyTorch's default, every score exists. In inference, self-attention
 * takes PyTorch's fast path.
 *
 * <p>
 * Inputs are [length, batch, width], or [batch, length, width] with {@link AttentionOptions#batchFirst}, or [length, width]
 * without a batch. Masks are bool, true where no attention is paid, or what is added to the scores.
 *
 * <p>
 * Parameters: {@link #inProjWeight} [3 width, width] and {@link #inProjBias} [3 width], {@link #outProj}'s [width,
 * width] and [width]; with other widths of keys or values three projections in place of one.
 */
public class MultiheadAttention extends Module {

    private static final double XAVIER = 6;

    /** [3 width, width]: queries, keys and values in one product; null if keys or values have another width. */
    public final Parameter inProjWeight;
    /** [width, width], or null. */
    public final Parameter qProjWeight;
    /** [width, kdim], or null. */
    public final Parameter kProjWeight;
    /** [width, vdim], or null. */
    public final Parameter vProjWeight;
    /** [3 width], or null. */
    public final Parameter inProjBias;
    /** [1, 1, width], or null. */
    public final Parameter biasK;
    /** [1, 1, width], or null. */
    public final Parameter biasV;
    /** Joins the heads. */
    public final Linear outProj;
    private final long embedDim;
    private final long numHeads;
    private final double dropout;
    private final boolean addZeroAttn;
    private final boolean batchFirst;

    /**
     * So many heads, each of embedDim / numHeads, over [length, batch, embedDim].
     *
     * @param embedDim
     *            width of queries and output
     * @param numHeads
     *            heads, which divide embedDim
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public MultiheadAttention(long embedDim, long numHeads) {
        this(embedDim, numHeads, new AttentionOptions());
    }

    /**
     * With dropout of the weights.
     *
     * @param embedDim
     *            width of queries and output
     * @param numHeads
     *            heads, which divide embedDim
     * @param dropout
     *            probability with which a weight is left out while training; 0 by default
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads, or the dropout not in [0, 1]
     */
    public MultiheadAttention(long embedDim, long numHeads, double dropout) {
        this(embedDim, numHeads, new AttentionOptions().dropout(dropout));
    }

    /**
     * With dropout of the weights, over [batch, length, embedDim] if so wanted.
     *
     * @param embedDim
     *            width of queries and output
     * @param numHeads
     *            heads, which divide embedDim
     * @param dropout
     *            probability with which a weight is left out while training; 0 by default
     * @param batchFirst
     *            whether inputs are [batch, length, width]; false by default
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads, or the dropout not in [0, 1]
     */
    public MultiheadAttention(long embedDim, long numHeads, double dropout, boolean batchFirst) {
        this(embedDim, numHeads, new AttentionOptions().dropout(dropout).batchFirst(batchFirst));
    }

    /**
     * With whatever else.
     *
     * @param embedDim
     *            width of queries and output
     * @param numHeads
     *            heads, which divide embedDim
     * @param options
     *            dropout, biases, widths of keys and values by name
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public MultiheadAttention(long embedDim, long numHeads, AttentionOptions options) {
        if (numHeads <= 0 || embedDim % numHeads != 0) {
            throw new IllegalArgumentException("Attention of width " + embedDim + " with " + numHeads
                    + " heads was asked for: embedDim must be divisible by numHeads.");
        }
        long kdim = options.kdim == 0 ? embedDim : options.kdim;
        long vdim = options.vdim == 0 ? embedDim : options.vdim;
        boolean packed = kdim == embedDim && vdim == embedDim;
        this.inProjWeight = packed ? FirstValues.xavierUniform(3 * embedDim, embedDim) : null;
        this.qProjWeight = packed ? null : FirstValues.xavierUniform(embedDim, embedDim);
        this.kProjWeight = packed ? null : FirstValues.xavierUniform(embedDim, kdim);
        this.vProjWeight = packed ? null : FirstValues.xavierUniform(embedDim, vdim);
        this.inProjBias = options.bias ? FirstValues.zeros(3 * embedDim) : null;
        this.outProj = new Linear(embedDim, embedDim, options.bias);
        if (options.bias) {
            try (Tensor bias = outProj.bias.detach()) {
                bias.zero_();
            }
        }
        double std = Math.sqrt(XAVIER / 3 / (2 * embedDim));
        this.biasK = options.addBiasKv ? FirstValues.normal(std, 1, 1, embedDim) : null;
        this.biasV = options.addBiasKv ? FirstValues.normal(std, 1, 1, embedDim) : null;
        this.embedDim = embedDim;
        this.numHeads = numHeads;
        this.dropout = options.dropout;
        this.addZeroAttn = options.addZeroAttn;
        this.batchFirst = options.batchFirst;
    }

    /** {@return width of queries and output} */
    public long embedDim() {
        return embedDim;
    }

    /** {@return number of heads} */
    public long numHeads() {
        return numHeads;
    }

    /** {@return whether inputs are [batch, length, width]} */
    public boolean batchFirst() {
        return batchFirst;
    }

    /** Whether one product makes queries, keys and values. */
    boolean isPacked() {
        return inProjWeight != null;
    }

    /** Self-attention, without weights. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, input, input, null, false, null, true, false)[0];
    }

    /**
     * Output and weights averaged over the heads, of queries that attend to keys and values.
     *
     * @param query
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param key
     *            as query, with s for l and kdim for the width
     * @param value
     *            as key, with vdim for the width
     * @return the output, of query's shape, and the weights [n, l, s]
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes do not fit each other
     */
    public Tensor[] call(Tensor query, Tensor key, Tensor value) {
        return call(query, key, value, null, true, null, true, false);
    }

    /**
     * Output and, if needed, weights averaged over the heads, else null.
     *
     * @param query
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param key
     *            as query, with s for l and kdim for the width
     * @param value
     *            as key, with vdim for the width
     * @param needWeights
     *            whether the weights are wanted; if not, no [l, s] scores need exist
     * @return the output, of query's shape, and the weights [n, l, s] or null
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes do not fit each other
     */
    public Tensor[] call(Tensor query, Tensor key, Tensor value, boolean needWeights) {
        return call(query, key, value, null, needWeights, null, true, false);
    }

    /**
     * With masks or null, in PyTorch's order.
     *
     * @param query
     *            [l, n, width], with batchFirst [n, l, width], or [l, width]
     * @param key
     *            as query, with s for l and kdim for the width
     * @param value
     *            as key, with vdim for the width
     * @param keyPaddingMask
     *            [n, s] or [s], or null
     * @param needWeights
     *            whether the weights are wanted; if not, no [l, s] scores need exist
     * @param attnMask
     *            [l, s] or [n heads, l, s], or null
     * @return the output, of query's shape, and the weights [n, l, s] or null
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or the masks' dtypes do not fit
     */
    public Tensor[] call(Tensor query, Tensor key, Tensor value, Tensor keyPaddingMask, boolean needWeights,
            Tensor attnMask) {
        return call(query, key, value, keyPaddingMask, needWeights, attnMask, true, false);
    }

    /**
     * Output and weights.
     *
     * @param query
     *            [l, n, width], by {@link AttentionOptions#batchFirst} [n, l, width], or [l, width]
     * @param key
     *            as query, with s for l and kdim for the width
     * @param value
     *            as key, with vdim for the width
     * @param keyPaddingMask
     *            [n, s] or [s], or null
     * @param needWeights
     *            whether the weights are wanted; if not, fused kernels can be used
     * @param attnMask
     *            [l, s] or [n heads, l, s], or null
     * @param averageAttnWeights
     *            whether weights are averaged over the heads, [n, l, s], or not, [n, heads, l, s]
     * @param isCausal
     *            hint that attnMask is the causal mask
     * @return the output, of query's shape, and the weights or null
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or the masks' dtypes do not fit, or isCausal comes without attnMask
     */
    public Tensor[] call(Tensor query, Tensor key, Tensor value, Tensor keyPaddingMask, boolean needWeights,
            Tensor attnMask, boolean averageAttnWeights, boolean isCausal) {
        try (Scope scope = Scope.inner()) {
            Tensor[] made = forward(query, key, value, keyPaddingMask, needWeights, attnMask, averageAttnWeights,
                    isCausal);
            scope.keep(made[0]);
            if (made[1] != null) {
                scope.keep(made[1]);
            }
            return made;
        }
    }

    private Tensor[] forward(Tensor query, Tensor key, Tensor value, Tensor keyPaddingMask, boolean needWeights,
            Tensor attnMask, boolean average, boolean isCausal) {
        boolean additive = isFloating(attnMask) || isFloating(keyPaddingMask);
        boolean batched = query.dim() == 3;
        try (PythonFrame frame = new PythonFrame()) {
            Ref<Tensor> paddingHeld = frame.name();
            Ref<Tensor> maskHeld = frame.name();
            Tensor padding = AttentionMasks.additive(keyPaddingMask, "keyPaddingMask", query.dtype());
            paddingHeld.set(padding == keyPaddingMask ? null : padding);
            Tensor mask = AttentionMasks.additive(attnMask, "attnMask", query.dtype());
            maskHeld.set(mask == attnMask ? null : mask);
            if (!additive && batched && isFast(query, key, value)) {
                try (Tensor merged = merged(mask, padding, query)) {
                    return Functional.nativeMultiHeadAttention(query, numHeads, inProjWeight, inProjBias,
                            outProj.weight, outProj.bias, merged, needWeights, average);
                }
            }
            HeadedAttention heads = new HeadedAttention(this, embedDim, numHeads, isTraining() ? dropout : 0,
                    addZeroAttn);
            if (!batchFirst || !batched) {
                return heads.attend(query, key, value, padding, needWeights, mask, average, isCausal);
            }
            // the same tensor stays the same: the projections go by that
            try (Tensor q = query.transpose(1, 0);
                    Tensor k = key == query ? q : key.transpose(1, 0);
                    Tensor v = value == key ? k : value.transpose(1, 0)) {
                Tensor[] made = heads.attend(q, k, v, padding, needWeights, mask, average, isCausal);
                try (Tensor lengthFirst = made[0]) {
                    made[0] = lengthFirst.transpose(1, 0);
                }
                return made;
            }
        }
    }

    private static boolean isFloating(Tensor mask) {
        return mask != null && mask.dtype().isFloatingPoint();
    }

    private boolean isFast(Tensor query, Tensor key, Tensor value) {
        boolean self = query == key && key == value;
        boolean plain = isPacked() && biasK == null && !addZeroAttn && batchFirst && numHeads % 2 == 0;
        if (!self || !plain || isTraining() || inProjBias == null || AutocastMode.dtype() != null
                || query.dtype() != inProjWeight.dtype()) {
            return false;
        }
        return !GradMode.isEnabled() || !(query.requiresGrad() || inProjWeight.requiresGrad()
                || inProjBias.requiresGrad() || outProj.weight.requiresGrad() || outProj.bias.requiresGrad());
    }

    /** Both masks in one of [n, heads, l, l] to be read, or null: PyTorch's merge_masks. */
    Tensor merged(Tensor mask, Tensor padding, Tensor query) {
        if (mask == null && padding == null) {
            return null;
        }
        long n = query.size(0);
        long l = query.size(1);
        Tensor spread = padding == null ? null : padding.view(n, 1, 1, l);
        if (mask == null) {
            return spread;
        }
        try (Tensor four = mask.dim() == 3 ? mask.view(n, -1, l, l) : mask.view(1, 1, l, l);
                Tensor wide = four.expand(n, numHeads, l, l);
                Tensor keys = spread) {
            return keys == null ? wide.view(n, numHeads, l, l) : wide.add(keys);
        }
    }
}
