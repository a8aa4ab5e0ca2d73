package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Reduction;
import io.vramlab.tensor.Tensor;

/** Cross-entropy of logits [n, classes] and int64 classes [n]: log-softmax, then negative log likelihood. */
public final class CrossEntropyLoss extends Loss {

    /** Mean over the targets that count. */
    public CrossEntropyLoss() {
        this(Reduction.MEAN);
    }

    /** With another reduction. */
    public CrossEntropyLoss(Reduction reduction) {
        super(reduction);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.crossEntropy(input, target, reduction(), Functional.IGNORE_INDEX);
    }
}
