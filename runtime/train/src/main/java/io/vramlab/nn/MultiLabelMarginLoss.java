package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Margins between the classes that a row of int64 names, up to the first -1, and all others: both [n, classes].
 * Computed on the host, whatever the device; backward holds the input and marks of its size.
 */
public class MultiLabelMarginLoss extends Loss {

    /** The mean. */
    public MultiLabelMarginLoss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public MultiLabelMarginLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.multilabelMarginLoss(input, target, reduction());
    }
}
