package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Sum, mean or max of an embedding's rows, bag by bag: [bags, many] int64 indices give [bags, width]. */
public final class EmbeddingBag extends Module {

    /** [rows, width]. */
    public final Parameter weight;
    private final String mode;

    /** The mean of each bag. */
    public EmbeddingBag(long rows, long width) {
        this(rows, width, "mean");
    }

    /** "sum", "mean" or "max" of each bag. */
    public EmbeddingBag(long rows, long width, String mode) {
        weight = Init.normal(1, rows, width);
        this.mode = mode;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.embeddingBag(input, weight, mode);
    }

    /** Of [many] indices; bags begin at those offsets, int64. */
    public Tensor call(Tensor input, Tensor offsets) {
        return Functional.embeddingBag(input, weight, offsets, mode);
    }

    @Override
    protected String extraRepr() {
        return weight.size(0) + ", " + weight.size(1) + ", mode='" + mode + "'";
    }
}
