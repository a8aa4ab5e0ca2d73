package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * A table of rows looked up by int64 index; rows are drawn from a normal distribution. Gives [… width]. Backward
 * holds the indices; the gradient of the weight is as large as the weight.
 */
public class Embedding extends Module {

    /** [rows, width]. */
    public final Parameter weight;

    /**
     * So many rows of that width.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     */
    public Embedding(long rows, long width) {
        weight = Init.normal(1, rows, width);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.embedding(input, parametrized(weight));
    }

    @Override
    protected String extraRepr() {
        return weight.size(0) + ", " + weight.size(1);
    }
}
