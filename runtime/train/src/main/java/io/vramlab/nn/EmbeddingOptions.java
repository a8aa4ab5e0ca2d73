package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;

/** What an embedding may be told by name: {@code new Embedding(1000, 64, new EmbeddingOptions().paddingIdx(0))}. */
public final class EmbeddingOptions {

    Long paddingIdx;
    boolean sparse;
    boolean scaleGradByFreq;
    String mode = "mean";

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
                + (scaleGradByFreq ? ", scale_grad_by_freq=True" : "") + (sparse ? ", sparse=True" : "");
    }
}
