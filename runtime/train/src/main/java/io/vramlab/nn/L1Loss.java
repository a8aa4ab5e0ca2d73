package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** Absolute error of two tensors of one shape. Composed as in PyTorch: backward holds the difference. */
public class L1Loss extends Loss {

    /** Mean of all elements. */
    public L1Loss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public L1Loss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.l1Loss(input, target, reduction());
    }
}
