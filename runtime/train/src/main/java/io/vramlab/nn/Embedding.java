package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** A table of rows looked up by int64 index; rows are drawn from a normal distribution. Gives [… width]. */
public final class Embedding extends Module {

    /** [rows, width]. */
    public final Parameter weight;

    /** So many rows of that width. */
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
