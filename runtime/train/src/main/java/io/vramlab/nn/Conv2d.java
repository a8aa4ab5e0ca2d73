package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Convolution of [n, in, h, w], or without the batch, with a weight [out, in / groups, …]. Backward holds the input. What cuDNN
 * takes as workspace is taken too, by an estimate: docs/footprint.md, "Convolutions".
 */
public final class Conv2d extends Convolutional {

    /** Stride 1, no padding, a bias. */
    public Conv2d(long in, long out, long kernel) {
        this(in, out, kernel, new ConvOptions());
    }

    /** With a step. */
    public Conv2d(long in, long out, long kernel, long stride) {
        this(in, out, kernel, new ConvOptions().stride(stride));
    }

    /** With a step and a padding. */
    public Conv2d(long in, long out, long kernel, long stride, long padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /** With a step and a padding, and perhaps no bias. */
    public Conv2d(long in, long out, long kernel, long stride, long padding, boolean bias) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding).bias(bias));
    }

    /** With a padding by word, {@code same} or {@code valid}. */
    public Conv2d(long in, long out, long kernel, long stride, String padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /** With dilation and groups. */
    public Conv2d(long in, long out, long kernel, long stride, long padding, long dilation, int groups) {
        this(in, out, kernel, stride, padding, dilation, groups, true);
    }

    /** With all, in PyTorch's order. */
    public Conv2d(long in, long out, long kernel, long stride, long padding, long dilation, int groups,
            boolean bias) {
        this(in, out, kernel,
                new ConvOptions().stride(stride).padding(padding).dilation(dilation).groups(groups).bias(bias));
    }

    /** With options by name. */
    public Conv2d(long in, long out, long kernel, ConvOptions options) {
        super(2, false, in, out, new long[]{kernel}, options);
    }

    /** With a kernel of its own size in each dimension. */
    public Conv2d(long in, long out, long[] kernel) {
        this(in, out, kernel, new ConvOptions());
    }

    /** With a size, a step and a padding for each dimension. */
    public Conv2d(long in, long out, long[] kernel, long[] stride, long[] padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /** With all, each dimension its own. */
    public Conv2d(long in, long out, long[] kernel, long[] stride, long[] padding, long[] dilation, int groups,
            boolean bias) {
        this(in, out, kernel,
                new ConvOptions().stride(stride).padding(padding).dilation(dilation).groups(groups).bias(bias));
    }

    /** With a size for each dimension, and options by name. */
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
