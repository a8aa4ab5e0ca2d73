package io.vramlab.device;

/** The part of {@link Kernels} that takes a step over many parameters at once. */
public interface OptimizerArithmetic {

    /**
     * One Adam or AdamW step over many tensors in one launch (the "fused" form). {@code maxExpAvgSq} is null without
     * amsgrad; {@code foundInf} and {@code gradScale} (float32 scalars) are null without a scaler.
     *
     * @param params
     *            parameters, changed
     * @param grads
     *            of the parameters' shapes; with {@code gradScale} they are divided by it in place
     * @param expAvg
     *            moving averages of the gradients, changed
     * @param expAvgSq
     *            moving averages of the squared gradients, changed
     * @param maxExpAvgSq
     *            the largest {@code expAvgSq} so far, changed; or null
     * @param steps
     *            scalars, each its parameter's count of steps with this one, from 1; read alone
     * @param lr
     *            learning rate
     * @param beta1
     *            what {@code expAvg} keeps of itself
     * @param beta2
     *            what {@code expAvgSq} keeps of itself
     * @param eps
     *            added to the denominator
     * @param weightDecay
     *            0 for none
     * @param decoupled
     *            true for AdamW
     * @param maximize
     *            whether the step goes up the gradient
     * @param gradScale
     *            the scaler's scale, by which gradients are too large; or null
     * @param foundInf
     *            not 0 if a gradient was not finite: then nothing is changed; or null
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq, Operand[] maxExpAvgSq,
            Operand[] steps, double lr, double beta1, double beta2, double eps, double weightDecay, boolean decoupled,
            boolean maximize, Operand gradScale, Operand foundInf, long stream);

    /**
     * One SGD step over many tensors in one launch; {@code momentumBuffers} null without momentum.
     *
     * @param params
     *            parameters, changed
     * @param grads
     *            of the parameters' shapes; with {@code gradScale} they are divided by it in place
     * @param momentumBuffers
     *            of the parameters' shapes, changed; or null
     * @param lr
     *            learning rate
     * @param momentum
     *            what a buffer keeps of itself
     * @param dampening
     *            a gradient enters its buffer with 1 - dampening
     * @param weightDecay
     *            factor of the parameter that is added to its gradient, 0 for none
     * @param nesterov
     *            whether the step looks ahead by the momentum
     * @param maximize
     *            whether the step goes up the gradient
     * @param firstStep
     *            whether the buffers hold nothing yet and become the gradients
     * @param gradScale
     *            float32 scalar by which gradients are too large; or null
     * @param foundInf
     *            float32 scalar, not 0 if a gradient was not finite: then nothing is changed; or null
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream);

    /**
     * Multiplies every gradient by {@code inverseScale} (float32 scalar) and sets {@code foundInf} (float32 scalar) to 1
     * if any was not finite.
     *
     * @param grads
     *            changed in place
     * @param foundInf
     *            set to 1 or left as it is
     * @param inverseScale
     *            1 / the scaler's scale
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream);
}
