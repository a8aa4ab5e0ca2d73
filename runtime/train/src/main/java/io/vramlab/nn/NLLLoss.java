package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Negative log likelihood of log-probabilities; shapes as {@link CrossEntropyLoss}. Backward holds the
 * log-probabilities, the target and a scalar.
 */
public class NLLLoss extends Loss {

    private final Tensor weight;
    private final long ignoreIndex;

    /** Mean over the targets that count. */
    public NLLLoss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public NLLLoss(Reduction reduction) {
        this(null, reduction, Functional.IGNORE_INDEX);
    }

    /**
     * With everything.
     *
     * @param weight
     *            of each class, [classes], borrowed; or null
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param ignoreIndex
     *            a class that does not count
     */
    public NLLLoss(Tensor weight, Reduction reduction, long ignoreIndex) {
        super(reduction);
        this.weight = weight;
        this.ignoreIndex = ignoreIndex;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.nllLoss(input, target, weight, reduction(), ignoreIndex);
    }
}
