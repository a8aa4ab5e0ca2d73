package io.vramlab.footprint;

import io.vramlab.device.DType;
import java.util.Arrays;

/**
 * One run of a convolution library: which of the three products, and the sizes that its heuristics see. A transposed
 * convolution is told as the convolution whose gradient it is. All arrays have one entry per spatial dimension.
 *
 * @param pass
 *            which product
 * @param dtype
 *            of input, weight and output
 * @param channelsLast
 *            whether the channels lie side by side
 * @param batch
 *            images
 * @param channels
 *            of the input
 * @param outputs
 *            channels of the output
 * @param groups
 *            of channels
 * @param in
 *            sizes of the input
 * @param kernel
 *            sizes of the kernel
 * @param stride
 *            steps
 * @param padding
 *            on each side
 * @param dilation
 *            between the kernel's elements
 * @param out
 *            sizes of the output
 */
public record Convolution(Pass pass, DType dtype, boolean channelsLast, long batch, long channels, long outputs,
        long groups, long[] in, long[] kernel, long[] stride, long[] padding, long[] dilation, long[] out) {

    /** The product that is computed. */
    public enum Pass {
        /** The output. */
        FORWARD,
        /** The gradient of the input. */
        INPUT,
        /** The gradient of the weight. */
        WEIGHT
    }

    /** The product in full, as a text; equal ones have the same. */
    public String key() {
        return ConvolutionWorkspace.key(this);
    }

    static long product(long... sizes) {
        return Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
    }

    /** The same with other channels. */
    Convolution with(long inner, long outer) {
        return new Convolution(pass, dtype, channelsLast, batch, inner, outer, groups, in, kernel, stride, padding,
                dilation, out);
    }

    /** Bytes of the input. */
    long inputBytes() {
        return batch * channels * product(in) * dtype.bytes();
    }

    /** Bytes of the output. */
    long outputBytes() {
        return batch * outputs * product(out) * dtype.bytes();
    }

    /** Elements of the weight. */
    long weights() {
        return outputs * (channels / groups) * product(kernel);
    }
}
