package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;

/** What an embedding may be told by name: {@code new Embedding(1000, 64, new EmbeddingOptions().paddingIdx(0))}. */
public final class EmbeddingOptions {

    Long paddingIdx;
    boolean sparse;
    boolean scaleGradByFreq;
    String mode = "mean";
    Double maxNorm;
    double normType = 2;
    boolean includeLastOffset;

    /** No padding, dense gradients. */
    public EmbeddingOptions() {
    }

    /**
     * The row of what only fills up: it is zero at first, and gets no gradient.
     *
     * @param row
     *            from the back when negative; none by default
     * @return this
     */
    public EmbeddingOptions paddingIdx(long row) {
        paddingIdx = row;
        return this;
    }

    /**
     * Whether the weight's gradient has only the rows that were looked up: the result's gradient and the index, shared, where a
     * dense one is of the weight's size. SGD, Adagrad and SparseAdam take such gradients.
     *
     * @param on
     *            false by default
     * @return this
     */
    public EmbeddingOptions sparse(boolean on) {
        sparse = on;
        return this;
    }

    /**
     * Whether a row's gradient is divided by how often the row was looked up. Not of a bag.
     *
     * @param on
     *            false by default
     * @return this
     */
    public EmbeddingOptions scaleGradByFreq(boolean on) {
        scaleGradByFreq = on;
        return this;
    }

    /**
     * How an {@link EmbeddingBag} adds up its rows.
     *
     * @param word
     *            {@code "sum"}, {@code "mean"} or {@code "max"}; mean by default
     * @return this
     */
    public EmbeddingOptions mode(String word) {
        mode = word;
        return this;
    }

    /**
     * Rows that are looked up are made no longer than this first, in place.
     *
     * @param length
     *            none by default
     * @return this
     */
    public EmbeddingOptions maxNorm(double length) {
        maxNorm = length;
        return this;
    }

    /**
     * Of which norm the length of {@link #maxNorm} is.
     *
     * @param order
     *            2 by default
     * @return this
     */
    public EmbeddingOptions normType(double order) {
        normType = order;
        return this;
    }

    /**
     * Whether the last of a bag's offsets is where the last one ends; of an EmbeddingBag.
     *
     * @param on
     *            false by default
     * @return this
     */
    public EmbeddingOptions includeLastOffset(boolean on) {
        includeLastOffset = on;
        return this;
    }

    void shorten(Tensor weight, Tensor index) {
        if (maxNorm != null) {
            Functional.embeddingRenorm_(weight, index, maxNorm, normType);
        }
    }

    void check(long rows) {
        if (paddingIdx != null && (paddingIdx >= rows || paddingIdx < -rows)) {
            throw new IllegalArgumentException("Padding_idx must be within num_embeddings: " + paddingIdx
                    + " was given for " + rows + " rows.");
        }
    }

    void emptyPadding(Parameter weight) {
        if (paddingIdx != null) {
            try (GradMode.State off = GradMode.enter(false); Tensor row = weight.select(0, paddingIdx)) {
                row.fill_(0);
            }
        }
    }

    String text() {
        return (paddingIdx == null ? "" : ", padding_idx=" + paddingIdx)
                + (maxNorm == null ? "" : ", max_norm=" + maxNorm) + (normType == 2 ? "" : ", norm_type=" + normType)
                + (scaleGradByFreq ? ", scale_grad_by_freq=True" : "") + (sparse ? ", sparse=True" : "");
    }
}
