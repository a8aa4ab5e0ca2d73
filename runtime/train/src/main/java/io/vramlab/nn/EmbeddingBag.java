package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Sum, mean or max of an embedding's rows, bag by bag: [bags, many] int64 indices give [bags, width]. Backward holds
 * the indices, an integer for each index and two for each bag; the mode "max" [bags, width] integers more. Computed on
 * the host, whatever the device.
 */
public class EmbeddingBag extends Module {

    /** [rows, width]. */
    public Parameter weight;
    private final String mode;

    /**
     * The mean of each bag.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     */
    public EmbeddingBag(long rows, long width) {
        this(rows, width, "mean");
    }

    /**
     * "sum", "mean" or "max" of each bag.
     *
     * @param rows
     *            how many; an index is 0 to rows - 1
     * @param width
     *            of a row
     * @param mode
     *            {@code sum}, {@code mean} or {@code max}; anything else is an error when it is called
     */
    public EmbeddingBag(long rows, long width, String mode) {
        weight = FirstValues.normal(1, rows, width);
        this.mode = mode;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.embeddingBag(input, weight, mode);
    }

    /**
     * The bags of one row of indices, [bags, width].
     *
     * @param input
     *            int64 [many]
     * @param offsets
     *            int64 [bags], where each bag begins, rising from 0
     * @return [bags, width]
     * @throws io.vramlab.tensor.type.TensorException
     *             if an index is out of range or a shape another
     */
    public Tensor call(Tensor input, Tensor offsets) {
        return Functional.embeddingBag(input, weight, offsets, mode);
    }

    @Override
    protected String extraRepr() {
        return weight.size(0) + ", " + weight.size(1) + ", mode='" + mode + "'";
    }
}
