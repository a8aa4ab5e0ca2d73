package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/**
 * Connectionist temporal classification; computed on the host, whatever the device. PyTorch's {@code CTCLoss} (Graves
 * et al., 2006). Backward holds the log-probabilities, the targets, the losses, and sums over paths [n, time, 2 longest
 * + 1].
 */
public class CTCLoss {

    private final long blank;
    private final Reduction reduction;
    private final boolean zeroInfinity;

    /** Class 0 stands for none; the mean. */
    public CTCLoss() {
        this(0, Reduction.MEAN, false);
    }

    /**
     * With everything.
     *
     * @param blank
     *            the class that stands for none
     * @param reduction
     *            how the numbers are put together: {@link Reduction#MEAN}, the default, SUM, or NONE to keep them
     * @param zeroInfinity
     *            whether targets that do not fit their input count as 0
     */
    public CTCLoss(long blank, Reduction reduction, boolean zeroInfinity) {
        this.blank = blank;
        this.reduction = reduction;
        this.zeroInfinity = zeroInfinity;
    }

    /**
     * {@return the loss: a scalar, or [n] with {@link Reduction#NONE}}
     *
     * @param logProbs
     *            [time, n, classes], logarithms of probabilities
     * @param targets
     *            int64 [n, longest], without blanks
     * @param inputLengths
     *            how many times of each sequence count, n of them
     * @param targetLengths
     *            how many classes each target has, n of them
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes and lengths do not fit each other
     */
    public Tensor call(Tensor logProbs, Tensor targets, long[] inputLengths, long[] targetLengths) {
        return Functional.ctcLoss(logProbs, targets, inputLengths, targetLengths, blank, reduction, zeroInfinity);
    }

    @Override
    public String toString() {
        return "CTCLoss()";
    }
}
