package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Convolution of [n, in, h, w], or without the batch, with a weight [out, in / groups, …]. Backward holds the input. What cuDNN
 * takes as workspace is taken too, by an estimate: docs/footprint.md, "Convolutions".
 *
 * <p>
 * Parameters: weight [out, in / groups, …], the kernel's sizes last, and bias [out], both drawn uniformly from (-b,
 * b) with b = 1 / sqrt(in / groups x elements of the kernel). A border of another mode than zeros is padded into a
 * copy of the input first.
 */
public class Conv2d extends Convolutional {

    /**
     * Stride 1, no padding, a bias.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, for instance 3
     */
    public Conv2d(long in, long out, long kernel) {
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
     *            size in each dimension, for instance 3
     * @param stride
     *            step in each dimension; 1 by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv2d(long in, long out, long kernel, long stride) {
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
     *            size in each dimension, for instance 3
     * @param stride
     *            step in each dimension; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv2d(long in, long out, long kernel, long stride, long padding) {
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
     *            size in each dimension, for instance 3
     * @param stride
     *            step in each dimension; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param bias
     *            whether there is a bias; true by default
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv2d(long in, long out, long kernel, long stride, long padding, boolean bias) {
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
     *            size in each dimension, for instance 3
     * @param stride
     *            step in each dimension; 1 by default
     * @param padding
     *            {@code same}, with a stride of 1 alone, or {@code valid}
     * @throws IllegalArgumentException
     *             if a step is not positive
     */
    public Conv2d(long in, long out, long kernel, long stride, String padding) {
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
     *            size in each dimension, for instance 3
     * @param stride
     *            step in each dimension; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance of the kernel's elements; 1 by default
     * @param groups
     *            groups of channels that do not see each other; 1 by default
     * @throws IllegalArgumentException
     *             if a step or dilation is not positive, or the groups do not divide both numbers of channels
     */
    public Conv2d(long in, long out, long kernel, long stride, long padding, long dilation, int groups) {
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
     *            size in each dimension, for instance 3
     * @param stride
     *            step in each dimension; 1 by default
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
    public Conv2d(long in, long out, long kernel, long stride, long padding, long dilation, int groups,
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
     *            size in each dimension, for instance 3
     * @param options
     *            stride, padding, dilation, groups and so on by name
     * @throws IllegalArgumentException
     *             if the groups do not divide both numbers of channels, or an option does not fit the dimensions
     */
    public Conv2d(long in, long out, long kernel, ConvOptions options) {
        super(2, false, in, out, new long[]{kernel}, options);
    }

    /**
     * With a kernel of its own size in each dimension.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, one number for all dimensions or 2 of them
     * @throws IllegalArgumentException
     *             if an argument has neither 1 nor 2 numbers
     */
    public Conv2d(long in, long out, long[] kernel) {
        this(in, out, kernel, new ConvOptions());
    }

    /**
     * With a size, a step and a padding for each dimension.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, one number for all dimensions or 2 of them
     * @param stride
     *            steps, one number for all dimensions or 2 of them
     * @param padding
     *            zeros on each side, one number for all dimensions or 2 of them
     * @throws IllegalArgumentException
     *             if a step is not positive, or an argument has neither 1 nor 2 numbers
     */
    public Conv2d(long in, long out, long[] kernel, long[] stride, long[] padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /**
     * With all, each dimension its own.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, one number for all dimensions or 2 of them
     * @param stride
     *            steps, one number for all dimensions or 2 of them
     * @param padding
     *            zeros on each side, one number for all dimensions or 2 of them
     * @param dilation
     *            distance of the kernel's elements, one number for all dimensions or 2 of them
     * @param groups
     *            groups of channels that do not see each other; 1 by default
     * @param bias
     *            whether there is a bias; true by default
     * @throws IllegalArgumentException
     *             if a step or dilation is not positive, the groups do not divide both numbers of channels, or an
     *             argument has neither 1 nor 2 numbers
     */
    public Conv2d(long in, long out, long[] kernel, long[] stride, long[] padding, long[] dilation, int groups,
            boolean bias) {
        this(in, out, kernel,
                new ConvOptions().stride(stride).padding(padding).dilation(dilation).groups(groups).bias(bias));
    }

    /**
     * With a size for each dimension, and options by name.
     *
     * @param in
     *            channels of the input
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, one number for all dimensions or 2 of them
     * @param options
     *            stride, padding, dilation, groups and so on by name
     * @throws IllegalArgumentException
     *             if the groups do not divide both numbers of channels, or an option does not fit the dimensions
     */
    public Conv2d(long in, long out, long[] kernel, ConvOptions options) {
        super(2, false, in, out, kernel, options);
    }

    @Override
    Tensor convolve(Tensor input, long[] sides) {
        return paddingWord != null && paddingMode.equals("zeros")
                ? Functional.conv2d(input, parametrized(weight), parametrized(bias), stride, paddingWord, dilation,
                        groups)
                : Functional.conv2d(input, parametrized(weight), parametrized(bias), stride, sides, dilation, groups);
    }
}
