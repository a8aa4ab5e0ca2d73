package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;

/**
 * Attention by several heads (Vaswani et al., "Attention is all you need", 2017) over [batch, length, width]. Computed
 * step by step, PyTorch's "math" path: the weights [batch, heads, length, length] exist, once as scores and once as
 * probabilities, and the latter are held for backward. Fused attention kernels, which avoid that, are not modelled.
 */
public final class MultiheadAttention extends Module {

    /** [3 * width, width]: queries, keys and values in one product. */
    public final Parameter inProjWeight;
    /** [3 * width]. */
    public final Parameter inProjBias;
    /** Joins the heads. */
    public final Linear outProj;
    private final Dropout dropout;
    private final long width;
    private final long heads;
    private final boolean causal;

    /** So many heads, each of width / heads. */
    public MultiheadAttention(long width, long heads) {
        this(width, heads, 0, false);
    }

    /**
     * With dropout on the probabilities, and optionally blind to later positions.
     *
     * @throws IllegalArgumentException
     *             if the width is not divisible by the number of heads
     */
    public MultiheadAttention(long width, long heads, double dropout, boolean causal) {
        if (heads <= 0 || width % heads != 0) {
            throw new IllegalArgumentException("Attention of width " + width + " with " + heads
                    + " heads was asked for: the width must be divisible by the number of heads.");
        }
        this.inProjWeight = Init.xavierUniform(3 * width, width);
        this.inProjBias = Init.zeros(3 * width);
        this.outProj = new Linear(width, width);
        outProj.bias.detach().zero_().close();
        this.dropout = new Dropout(dropout);
        this.width = width;
        this.heads = heads;
        this.causal = causal;
    }

    /** Each position attends to all others, or to the earlier ones: query, key and value are the input. */
    @Override
    public Tensor forward(Tensor input) {
        try (Scope scope = Scope.inner()) {
            Tensor projected = Functional.linear(input, inProjWeight, inProjBias);
            Tensor[] parts = Functional.chunk(projected, 3, -1);
            return scope.keep(attend(parts[0], parts[1], parts[2]));
        }
    }

    /** Queries [batch, n, width] attend to keys and values [batch, m, width]. */
    public Tensor call(Tensor query, Tensor key, Tensor value) {
        try (Scope scope = Scope.inner()) {
            Tensor[] weights = Functional.chunk(inProjWeight, 3, 0);
            Tensor[] biases = Functional.chunk(inProjBias, 3, 0);
            Tensor q = Functional.linear(query, weights[0], biases[0]);
            Tensor k = Functional.linear(key, weights[1], biases[1]);
            Tensor v = Functional.linear(value, weights[2], biases[2]);
            return scope.keep(attend(q, k, v));
        }
    }

    private Tensor attend(Tensor query, Tensor key, Tensor value) {
        Tensor q = split(query);
        Tensor k = split(key);
        Tensor v = split(value);
        Tensor keys = k.transpose(-2, -1);
        Ref<Tensor> scores = new Ref<>(q.matmul(keys));
        scores.set(scores.get().mul(1 / Math.sqrt((double) width / heads)));
        if (causal) {
            scores.set(masked(scores.get()));
        }
        scores.set(Functional.softmax(scores.get(), -1));
        scores.set(dropout.call(scores.get()));
        Ref<Tensor> joined = new Ref<>(scores.get().matmul(v));
        scores.close();
        joined.set(joined.get().transpose(1, 2));
        joined.set(joined.get().reshape(query.size(0), query.size(1), width));
        try (joined) {
            return outProj.call(joined.get());
        }
    }

    /** [batch, n, width] as [batch, heads, n, width / heads], a view. */
    private Tensor split(Tensor x) {
        return x.view(x.size(0), x.size(1), heads, width / heads).transpose(1, 2);
    }

    private static Tensor masked(Tensor scores) {
        long n = scores.size(-2);
        long m = scores.size(-1);
        TensorOptions bytes = TensorOptions.on(scores.device()).dtype(DType.BOOL);
        try (Tensor ones = Tensor.ones(bytes, n, m); Tensor later = ones.triu(1)) {
            return scores.maskedFill(later, Double.NEGATIVE_INFINITY);
        }
    }

    @Override
    protected String extraRepr() {
        return "embed_dim=" + width + ", num_heads=" + heads + (causal ? ", causal" : "");
    }
}
