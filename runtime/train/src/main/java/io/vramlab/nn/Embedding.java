package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * A table of rows looked up by int64 index; rows are drawn from a normal distribution. Gives [… width]. Backward
 * holds the indices; the gradient of the weight is as large as the weight, unless it is sparse.
 */
public class Embedding extends Module {

    /** [rows, width]. */
    public Parameter weight;

    private final EmbeddingOptions options;

    /**
     * So many rows of that width.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     */
    public Embedding(long rows, long width) {
        this(rows, width, new EmbeddingOptions());
    }

    /**
     * With a row of padding, which is zero and gets no gradient: {@code nn.Embedding(rows, width, padding_idx)}.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     * @param paddingIdx
     *            the row, from the back when negative
     */
    public Embedding(long rows, long width, long paddingIdx) {
        this(rows, width, new EmbeddingOptions().paddingIdx(paddingIdx));
    }

    /**
     * With a sparse gradient: {@code nn.Embedding(rows, width, sparse=True)}.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     * @param sparse
     *            whether the gradient has only the rows that were looked up
     */
    public Embedding(long rows, long width, boolean sparse) {
        this(rows, width, new EmbeddingOptions().sparse(sparse));
    }

    /**
     * With settings by name.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     * @param options
     *            from then on not to be changed
     * @throws IllegalArgumentException
     *             if there is no row of padding
     */
    public Embedding(long rows, long width, EmbeddingOptions options) {
        this.options = options;
        options.check(rows);
        weight = FirstValues.normal(1, rows, width);
        options.emptyPadding(weight);
    }

    /**
     * An embedding of rows that exist, frozen: {@code nn.Embedding.from_pretrained}.
     *
     * @param rows
     *            [rows, width], taken over
     * @return a new module
     */
    public static Embedding fromPretrained(Tensor rows) {
        return fromPretrained(rows, true);
    }

    /**
     * An embedding of rows that exist: {@code nn.Embedding.from_pretrained}.
     *
     * @param rows
     *            [rows, width], taken over
     * @param freeze
     *            whether it gets no gradients
     * @return a new module
     */
    public static Embedding fromPretrained(Tensor rows, boolean freeze) {
        return new Embedding(rows, freeze);
    }

    private Embedding(Tensor rows, boolean freeze) {
        options = new EmbeddingOptions();
        weight = new Parameter(rows);
        weight.requiresGrad_(!freeze);
    }

    /** {@return the number of rows} */
    public long numEmbeddings() {
        return weight.size(0);
    }

    /** {@return the width of a row} */
    public long embeddingDim() {
        return weight.size(1);
    }

    @Override
    public Tensor forward(Tensor input) {
        options.shorten(weight, input);
        return Functional.embedding(input, parametrized(weight), options.paddingIdx, options.scaleGradByFreq,
                options.sparse);
    }

    @Override
    protected String extraRepr() {
        return weight.size(0) + ", " + weight.size(1) + options.text();
    }
}
