package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;

/** What an embedding may be told by name: {@code new Embedding(1000, 64, new EmbeddingOptions().paddingIdx(0))}. */
public final class EmbeddingOptions {

    Long paddingIdx;

    /** No padding. */
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
        return (paddingIdx == null ? "" : ", padding_idx=" + paddingIdx);
    }
}
