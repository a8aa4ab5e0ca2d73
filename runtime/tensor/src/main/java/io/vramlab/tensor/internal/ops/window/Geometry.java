package io.vramlab.tensor.internal.ops.window;

import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * How a convolution's kernel moves: one entry per spatial dimension, and all that a transposed one knows besides.
 *
 * @param stride
 *            steps, positive
 * @param padding
 *            zeros on each side
 * @param dilation
 *            distance of the kernel's elements, positive
 * @param outputPadding
 *            of a transposed one, what is added to one side of its output
 * @param transposed
 *            whether it is the gradient of a convolution
 * @param groups
 *            groups of channels that do not see each other
 */
public record Geometry(long[] stride, long[] padding, long[] dilation, long[] outputPadding, boolean transposed,
        int groups) {

    /** One number for all dimensions, or one each. */
    public static long[] each(long[] given, int dims, String what) {
        if (given.length == 1 && dims != 1) {
            long[] all = new long[dims];
            Arrays.fill(all, given[0]);
            return all;
        }
        if (given.length != dims) {
            throw new TensorException("A convolution over " + dims + " dimensions was given " + given.length
                    + " numbers as its " + what + ", " + Arrays.toString(given) + ": give 1 or " + dims + ".");
        }
        return given;
    }

    public static Geometry of(int dims, long[] stride, long[] padding, long[] dilation, int groups) {
        return new Geometry(each(stride, dims, "stride"), each(padding, dims, "padding"),
                each(dilation, dims, "dilation"), new long[dims], false, groups);
    }

    public static Geometry transposed(int dims, long[] stride, long[] padding, long[] outputPadding, int groups,
            long[] dilation) {
        return new Geometry(each(stride, dims, "stride"), each(padding, dims, "padding"),
                each(dilation, dims, "dilation"), each(outputPadding, dims, "output padding"), true, groups);
    }

    int dims() {
        return stride.length;
    }

    private String name() {
        return transposed ? "conv_transpose" + dims() + "d" : "conv" + dims() + "d";
    }

    /** Sizes of the output: [n, channels, …]. */
    long[] output(long[] in, long[] weight) {
        check(in, weight);
        long[] out = in.clone();
        out[1] = transposed ? weight[1] * groups : weight[0];
        for (int d = 0; d < dims(); d++) {
            long reach = dilation[d] * (weight[d + 2] - 1) + 1;
            if (transposed) {
                out[d + 2] = (in[d + 2] - 1) * stride[d] - 2 * padding[d] + reach + outputPadding[d];
            } else {
                out[d + 2] = Math.floorDiv(in[d + 2] + 2 * padding[d] - reach, stride[d]) + 1;
            }
        }
        return out;
    }

    private void check(long[] in, long[] weight) {
        String shapes = "weight of size " + Shape.text(weight) + ", input " + Shape.text(in);
        if (in.length != dims() + 2 || weight.length != dims() + 2) {
            throw new TensorException(name() + ": expected " + (dims() + 1) + "D (unbatched) or " + (dims() + 2)
                    + "D (batched) input, but got " + shapes + ".");
        }
        for (int d = 0; d < dims(); d++) {
            if (stride[d] <= 0 || dilation[d] <= 0 || padding[d] < 0) {
                throw new TensorException(name() + " was asked with stride " + Arrays.toString(stride) + ", dilation "
                        + Arrays.toString(dilation) + " and padding " + Arrays.toString(padding)
                        + ": strides and dilations must be positive, negative padding is not supported.");
            }
        }
        long wanted = transposed ? weight[0] : weight[1] * groups;
        if (in[1] != wanted) {
            throw new TensorException("Given groups=" + groups + ", weight of size " + Shape.text(weight)
                    + ", expected input" + Shape.text(in) + " to have " + wanted + " channels, but got " + in[1]
                    + " channels instead.");
        }
        if (groups <= 0 || weight[0] % groups != 0) {
            throw new TensorException(name() + " was asked with groups=" + groups + " and " + shapes
                    + ": the weight's first size must be divisible by groups.");
        }
        if (!transposed) {
            long[] padded = new long[dims()];
            long[] reach = new long[dims()];
            boolean fits = true;
            for (int d = 0; d < dims(); d++) {
                padded[d] = in[d + 2] + 2 * padding[d];
                reach[d] = dilation[d] * (weight[d + 2] - 1) + 1;
                fits &= reach[d] <= padded[d];
            }
            if (!fits) {
                throw new TensorException("Calculated padded input size per channel: " + Arrays.toString(padded)
                        + ". Kernel size: " + Arrays.toString(reach)
                        + ". Kernel size can't be greater than actual input size. Pad more, or use a smaller kernel.");
            }
        } else {
            for (int d = 0; d < dims(); d++) {
                if (outputPadding[d] >= stride[d] && outputPadding[d] >= dilation[d]) {
                    throw new TensorException("output padding must be smaller than either stride or dilation, but got "
                            + "output_padding " + Arrays.toString(outputPadding) + ", stride "
                            + Arrays.toString(stride) + ", dilation " + Arrays.toString(dilation) + ".");
                }
            }
        }
    }
}
