package io.vramlab.device;

/** The part of {@link Kernels} that brings elements to mean 0 and variance 1: by rows and by channels. */
public interface NormArithmetic {

    /**
     * Layer norm over the last dimension of [rows, columns] operands; {@code mean} and {@code rstd} are [rows]; weight
     * and bias [columns] or null. Without {@code mean}, null, nothing is centred: the norm by the root of the mean square.
     *
     * @param out
     *            [rows, columns], written
     * @param mean
     *            [rows], written: each row's mean; or null
     * @param rstd
     *            [rows], written: 1 / sqrt(variance + eps)
     * @param in
     *            [rows, columns]
     * @param weight
     *            [columns], or null for 1
     * @param bias
     *            [columns], or null for 0
     * @param eps
     *            added to the variance, which is divided by columns
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream);

    /**
     * Gradient of {@link #layerNorm}; any of gradIn, gradWeight, gradBias may be null.
     *
     * @param gradIn
     *            [rows, columns], written, or null
     * @param gradWeight
     *            [columns], written, or null
     * @param gradBias
     *            [columns], written, or null
     * @param gradOut
     *            [rows, columns]
     * @param in
     *            [rows, columns], as in {@link #layerNorm}
     * @param mean
     *            what {@link #layerNorm} wrote, or null if it had none
     * @param rstd
     *            what {@link #layerNorm} wrote
     * @param weight
     *            [columns], or null for 1
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream);

    /**
     * Batch norm of [n, channels, …] (rank 3: n, c, spatial). When training, statistics of the batch go to
     * {@code saveMean}, {@code saveInvStd} [c] and, if given, into the running ones by {@code momentum}; otherwise the
     * running ones are used.
     *
     * @param out
     *            {@code in}'s shape, written
     * @param saveMean
     *            [c], written when training: the batch's mean
     * @param saveInvStd
     *            [c], written when training: 1 / sqrt(variance + eps), the variance divided by n * spatial
     * @param in
     *            [n, c, spatial]
     * @param weight
     *            [c], or null for 1
     * @param bias
     *            [c], or null for 0
     * @param runningMean
     *            [c], read when not training, moved when training; null when training without them
     * @param runningVar
     *            [c], as {@code runningMean}; is moved towards the unbiased variance, divided by n * spatial - 1
     * @param training
     *            whether the batch's own statistics are used
     * @param momentum
     *            the batch's share of the new running statistics; what they held has 1 - momentum
     * @param eps
     *            added to the variance
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream);

    /**
     * Gradient of {@link #batchNorm}; any of gradIn, gradWeight, gradBias may be null.
     *
     * @param gradIn
     *            {@code in}'s shape, written, or null
     * @param gradWeight
     *            [c], written, or null
     * @param gradBias
     *            [c], written, or null
     * @param gradOut
     *            {@code in}'s shape
     * @param in
     *            as in {@link #batchNorm}
     * @param weight
     *            [c], or null for 1
     * @param mean
     *            [c]: the batch's when training, else the running one
     * @param invStd
     *            [c]: 1 / sqrt(variance + eps), of the same origin
     * @param training
     *            as in {@link #batchNorm}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream);
}
