package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * The gradient of a convolution for its input, as a layer: [n, in, length] with a weight [in, out / groups, …]. It makes sizes
 * larger: (size - 1) stride - 2 padding + dilation (kernel - 1) + output padding + 1.
 *
 * <p>
 * Parameters: weight [in, out / groups, …], as many sizes as the kernel has, and bias [out], drawn as a
 * convolution's. Backward holds the input; workspace as a convolution's.
 */
public class ConvTranspose1d extends Convolutional {

    /**
     * Stride 1, no padding, a bias.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     */
    public ConvTranspose1d(long in, long out, long kernel) {
        this(in, out, kernel, new ConvOptions());
    }

    /**
     * With a step.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     * @param stride
     *            step; 1 by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public ConvTranspose1d(long in, long out, long kernel, long stride) {
        this(in, out, kernel, new ConvOptions().stride(stride));
    }

    /**
     * With a step and a padding.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     * @param stride
     *            step; 1 by default
     * @param padding
     *            cut off each side of the output; 0 by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public ConvTranspose1d(long in, long out, long kernel, long stride, long padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /**
     * With a step and a padding, and perhaps no bias.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     * @param stride
     *            step; 1 by default
     * @param padding
     *            cut off each side of the output; 0 by default
     * @param bias
     *            whether there is a bias; true by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public ConvTranspose1d(long in, long out, long kernel, long stride, long padding, boolean bias) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding).bias(bias));
    }

    /**
     * With what is added to one side of the output.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     * @param stride
     *            step; 1 by default
     * @param padding
     *            cut off each side of the output; 0 by default
     * @param outputPadding
     *            added to one side of the output; 0 by default, and less than the stride or the dilation
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public ConvTranspose1d(long in, long out, long kernel, long stride, long padding, long outputPadding) {
        this(in, out, kernel, stride, padding, outputPadding, 1, true, 1);
    }

    /**
     * With all, in PyTorch's order.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     * @param stride
     *            step; 1 by default
     * @param padding
     *            cut off each side of the output; 0 by default
     * @param outputPadding
     *            added to one side of the output; 0 by default, and less than the stride or the dilation
     * @param groups
     *            groups of channels that do not see each other; 1 by default
     * @param bias
     *            whether there is a bias; true by default
     * @param dilation
     *            distance of the kernel's elements; 1 by default
     * @throws IllegalArgumentException
     *             if a step or dilation is not positive, or the groups do not divide both numbers of channels
     */
    public ConvTranspose1d(long in, long out, long kernel, long stride, long padding, long outputPadding, int groups,
            boolean bias, long dilation) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding).outputPadding(outputPadding)
                .groups(groups).bias(bias).dilation(dilation));
    }

    /**
     * With options by name.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size, for instance 3
     * @param options
     *            stride, padding, dilation, groups and so on by name
     * @throws IllegalArgumentException
     *             if the groups do not divide both numbers of channels, or an option does not fit a transposed
     *             convolution
     */
    public ConvTranspose1d(long in, long out, long kernel, ConvOptions options) {
        super(1, true, in, out, new long[]{kernel}, options);
    }

    @Override
    Tensor convolve(Tensor input, long[] sides) {
        return Functional.convTranspose1d(input, parametrized(weight), parametrized(bias), stride[0], sides[0],
                outputPadding[0], groups,
                dilation[0]);
    }
}
