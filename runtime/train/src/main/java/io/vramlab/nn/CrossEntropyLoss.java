package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Cross-entropy of logits [n, classes], or [classes], or [n, classes, d1, …], and int64 classes [n], [] or [n, d1, …], or
 * probabilities of the logits' shape: log-softmax, then negative log likelihood.
 *
 * <p>
 * Backward holds the log-probabilities (the size of the logits, once), the target, and a scalar; their gradient is
 * another of the logits' size.
 */
public class CrossEntropyLoss extends Loss {

    private final Tensor weight;
    private final long ignoreIndex;
    private final double labelSmoothing;

    /** Mean over the targets that count. */
    public CrossEntropyLoss() {
        this(Reduction.MEAN);
    }

    /**
     * With another reduction.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     */
    public CrossEntropyLoss(Reduction reduction) {
        this(null, reduction, Functional.IGNORE_INDEX, 0);
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
     * @param labelSmoothing
     *            share of the target that is spread over all classes, in [0, 1]
     */
    public CrossEntropyLoss(Tensor weight, Reduction reduction, long ignoreIndex, double labelSmoothing) {
        super(reduction);
        this.weight = weight;
        this.ignoreIndex = ignoreIndex;
        this.labelSmoothing = labelSmoothing;
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        return Functional.crossEntropy(input, target, weight, reduction(), ignoreIndex, labelSmoothing);
    }
}
