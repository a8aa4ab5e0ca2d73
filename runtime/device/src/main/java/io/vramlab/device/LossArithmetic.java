package io.vramlab.device;

/** The part of {@link Kernels} for classes: softmax, the negative log likelihood, and their gradients. */
public interface LossArithmetic {

    /**
     * Softmax, or its logarithm, along {@code dim}.
     *
     * @param out
     *            written; {@code in}'s shape
     * @param in
     *            any shape and strides
     * @param dim
     *            along which the results add up to 1, from 0
     * @param log
     *            whether the logarithm is written
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void softmax(Operand out, Operand in, int dim, boolean log, long stream);

    /**
     * Gradient of softmax, or of its logarithm, from the gradient and the forward result.
     *
     * @param gradIn
     *            written; {@code result}'s shape
     * @param gradOut
     *            gradient of {@code result}
     * @param result
     *            what {@link #softmax} wrote
     * @param dim
     *            as in {@link #softmax}
     * @param log
     *            as in {@link #softmax}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream);

    /**
     * Negative log likelihood of [… classes] log-probabilities for int64 targets […]: {@code out} is [] (mean or sum) or
     * […] (none); {@code totalWeight} [] receives the number of targets that count, or the sum of their weights.
     *
     * @param out
     *            written
     * @param totalWeight
     *            written, whatever the reduction
     * @param logProbabilities
     *            [… classes]
     * @param target
     *            int64 […]; one below 0 or not below classes, and not {@code ignoreIndex}, is a late fault
     * @param weight
     *            [classes], or null for 1 each
     * @param reduction
     *            0 none, 1 mean, 2 sum
     * @param ignoreIndex
     *            a target that does not count
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream);

    /**
     * Gradient of {@link #nllLoss} for its log-probabilities; {@code gradIn} was zeroed by the caller.
     *
     * @param gradIn
     *            [… classes], zeros; one element of each row that counts is written
     * @param gradOut
     *            [] (mean or sum) or […] (none)
     * @param target
     *            as in {@link #nllLoss}
     * @param totalWeight
     *            what {@link #nllLoss} wrote; the mean's divisor
     * @param weight
     *            as in {@link #nllLoss}
     * @param reduction
     *            as in {@link #nllLoss}
     * @param ignoreIndex
     *            as in {@link #nllLoss}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream);

    /**
     * Whether the gradient of a cross-entropy with these log-probabilities goes through
     * {@link #nllLossBackwardRows} and {@link #logSoftmaxBackwardRows}, which spare passes over memory.
     *
     * @param logProbabilities
     *            [rows classes], the result of a log-softmax
     * @return false unless the device says otherwise
     */
    default boolean keepsGradientRows(Operand logProbabilities) {
        return false;
    }

    /**
     * {@link #nllLossBackward} for {@link #logSoftmaxBackwardRows} alone: of {@code rows}, which nobody zeroed, it writes as
     * much as the device needs to know the one element of each row that is not zero.
     *
     * @param rows
     *            [rows classes]; what is in it afterwards only {@link #logSoftmaxBackwardRows} can read
     * @param gradOut
     *            [] (mean or sum) or [rows] (none)
     * @param target
     *            int64 [rows]
     * @param totalWeight
     *            what {@link #nllLoss} wrote
     * @param reduction
     *            as in {@link #nllLoss}
     * @param ignoreIndex
     *            as in {@link #nllLoss}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     * @throws UnsupportedOperationException
     *             unless {@link #keepsGradientRows}
     */
    default void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        throw new UnsupportedOperationException("this device keeps no rows of gradients");
    }

    /**
     * Gradient of the logarithm of softmax along the last dimension from what {@link #nllLossBackwardRows} wrote.
     *
     * @param gradIn
     *            [rows classes], written
     * @param rows
     *            what {@link #nllLossBackwardRows} wrote
     * @param result
     *            [rows classes], what {@link #softmax} wrote
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     * @throws UnsupportedOperationException
     *             unless {@link #keepsGradientRows}
     */
    default void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        throw new UnsupportedOperationException("this device keeps no rows of gradients");
    }
}
