package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Divergence of log-probabilities from probabilities: target (log(target) - input), 0 where the target is 0. Composed
 * as in PyTorch; input and target are of one shape.
 */
public class KLDivLoss extends Loss {

    private final boolean logTarget;
    private final boolean batchMean;

    /** Mean of all elements, which is not the divergence: see {@link #batchMean}. */
    public KLDivLoss() {
        this(Reduction.MEAN, false);
    }

    /**
     * With everything.
     *
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param logTarget
     *            whether targets are logarithms too
     */
    public KLDivLoss(Reduction reduction, boolean logTarget) {
        this(reduction, logTarget, false);
    }

    private KLDivLoss(Reduction reduction, boolean logTarget, boolean batchMean) {
        super(reduction);
        this.logTarget = logTarget;
        this.batchMean = batchMean;
    }

    /**
     * {@return a loss of the sum divided by the batch's size, PyTorch's {@code reduction='batchmean'}: the divergence
     * itself}
     *
     * @param logTarget
     *            whether targets are logarithms too
     */
    public static KLDivLoss batchMean(boolean logTarget) {
        return new KLDivLoss(Reduction.SUM, logTarget, true);
    }

    @Override
    public Tensor call(Tensor input, Tensor target) {
        Tensor loss = Functional.klDiv(input, target, reduction(), logTarget);
        if (!batchMean) {
            return loss;
        }
        try (loss) {
            return loss.div(input.size(0));
        }
    }
}
