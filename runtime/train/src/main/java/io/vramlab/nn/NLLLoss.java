package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Reduction;
import io.vramlab.tensor.Tensor;

/** Negative log likelihood of log-probabilities [n, classes] and int64 classes [n]. */
public final class NLLLoss extends Loss {

    /** Mean over the targets that count. */
    public NLLLoss() {
        this(Reduction.MEAN);
    }

    /** With another reduction. */
    public NLLLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.nllLoss(input, target, reduction(), Functional.IGNORE_INDEX);
    }
}
