package io.vramlab.device;

/**
 * One of the three products of a convolution from {@code x} to {@code y}, as a library is asked for it. All three operands
 * are there, also the one that is written: [n, c, …], [k, c / groups, …] and [n, k, …], over two or three dimensions.
 *
 * @param pass
 *            which operand is written
 * @param x
 *            the input, or its gradient
 * @param weight
 *            the weight, or its gradient
 * @param y
 *            the output, or its gradient
 * @param stride
 *            steps, one per spatial dimension, as the next two
 * @param padding
 *            on each side
 * @param dilation
 *            between the kernel's elements
 */
public record ConvolutionCall(Pass pass, Operand x, Operand weight, Operand y, long[] stride, long[] padding,
        long[] dilation) {

    /** The operand that is written. */
    public enum Pass {
        /** {@code y}. */
        OUTPUT,
        /** {@code x}: the gradient of the input, and the output of a transposed convolution. */
        INPUT,
        /** {@code weight}: its gradient. */
        WEIGHT
    }
}
