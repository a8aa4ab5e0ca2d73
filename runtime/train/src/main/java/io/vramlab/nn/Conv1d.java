package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Convolution of [n, in, length], or without the batch, with a weight [out, in / groups, …]. Backward holds the input. What cuDNN
 * takes as workspace is taken too, by an estimate: docs/footprint.md, "Convolutions".
 *
 * <p>
 * Parameters: weight [out, in / groups, …], the kernel's sizes last, and bias [out], both drawn uniformly from (-b,
 * b) with b = 1 / sqrt(in / groups x elements of the kernel). A border of another mode than zeros is padded into a
 * copy of the input first.
 */
public class Conv1d extends Convolutional {

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
    public Conv1d(long in, long out, long kernel) {
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
    public Conv1d(long in, long out, long kernel, long stride) {
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
     *            zeros on each side; 0 by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv1d(long in, long out, long kernel, long stride, long padding) {
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
     *            zeros on each side; 0 by default
     * @param bias
     *            whether there is a bias; true by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv1d(long in, long out, long kernel, long stride, long padding, boolean bias) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding).bias(bias));
    }

    /**
     * With a padding by word, {@code same} or {@code valid}.
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
     *            {@code same}, with a stride of 1 alone, or {@code valid}
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv1d(long in, long out, long kernel, long stride, String padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /**
     * With dilation and groups.
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
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance of the kernel's elements; 1 by default
     * @param groups
     *            groups of channels that do not see each other; 1 by default
     * @throws IllegalArgumentException
     *             if a step or dilation is not positive, or the groups do not divide both numbers of channels
     */
    public Conv1d(long in, long out, long kernel, long stride, long padding, long dilation, int groups) {
        this(in, out, kernel, stride, padding, dilation, groups, true);
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
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance of the kernel's elements; 1 by default
     * @param groups
     *            groups of channels that do not see each other; 1 by default
     * @param bias
     *            whether there is a bias; true by default
     * @throws IllegalArgumentException
     *             if a step or dilation is not positive, or the groups do not divide both numbers of channels
     */
    public Conv1d(long in, long out, long kernel, long stride, long padding, long dilation, int groups,
            boolean bias) {
        this(in, out, kernel,
                new ConvOptions().stride(stride).padding(padding).dilation(dilation).groups(groups).bias(bias));
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
     *             if the groups do not divide both numbers of channels, or an option does not fit the dimensions
     */
    public Conv1d(long in, long out, long kernel, ConvOptions options) {
        super(1, false, in, out, new long[]{kernel}, options);
    }

    @Override
    Tensor convolve(Tensor input, long[] sides) {
        return paddingWord != null && paddingMode.equals("zeros")
                ? Functional.conv1d(input, parametrized(weight), parametrized(bias), stride[0], paddingWord,
                        dilation[0], groups)
                : Functional.conv1d(input, parametrized(weight), parametrized(bias), stride[0], sides[0], dilation[0],
                        groups);
    }
}
