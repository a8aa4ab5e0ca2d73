package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.ops.loss.Reduction;

/** Connectionist temporal classification; computed on the host, whatever the device. */
public final class CTCLoss {

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
     * @param zeroInfinity
     *            whether targets that do not fit their input count as 0
     */
    public CTCLoss(long blank, Reduction reduction, boolean zeroInfinity) {
        this.blank = blank;
        this.reduction = reduction;
        this.zeroInfinity = zeroInfinity;
    }

    /** The loss of log-probabilities [time, n, classes] for int64 targets [n, longest], by their lengths. */
    public Tensor call(Tensor logProbs, Tensor targets, long[] inputLengths, long[] targetLengths) {
        return Functional.ctcLoss(logProbs, targets, inputLengths, targetLengths, blank, reduction, zeroInfinity);
    }

    @Override
    public String toString() {
        return "CTCLoss()";
    }
}
