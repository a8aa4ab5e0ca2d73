package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** Binary cross-entropy of each class, averaged over them: input and target [n, classes]. Composed as in PyTorch. */
public class MultiLabelSoftMarginLoss extends Loss {

    /** The mean. */
    public MultiLabelSoftMarginLoss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public MultiLabelSoftMarginLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.multilabelSoftMarginLoss(input, target, null, reduction());
    }
}
