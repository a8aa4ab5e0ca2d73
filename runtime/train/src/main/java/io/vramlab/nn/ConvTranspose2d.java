package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * The gradient of a convolution for its input, as a layer: [n, in, h, w] with a weight [in, out / groups, …]. It makes sizes
 * larger: (size - 1) stride - 2 padding + dilation (kernel - 1) + output padding + 1.
 */
public final class ConvTranspose2d extends Convolutional {

    /** Stride 1, no padding, a bias. */
    public ConvTranspose2d(long in, long out, long kernel) {
        this(in, out, kernel, new ConvOptions());
    }

    /** With a step. */
    public ConvTranspose2d(long in, long out, long kernel, long stride) {
        this(in, out, kernel, new ConvOptions().stride(stride));
    }

    /** With a step and a padding. */
    public ConvTranspose2d(long in, long out, long kernel, long stride, long padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /** With a step and a padding, and perhaps no bias. */
    public ConvTranspose2d(long in, long out, long kernel, long stride, long padding, boolean bias) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding).bias(bias));
    }

    /** With what is added to one side of the output. */
    public ConvTranspose2d(long in, long out, long kernel, long stride, long padding, long outputPadding) {
        this(in, out, kernel, stride, padding, outputPadding, 1, true, 1);
    }

    /** With all, in PyTorch's order. */
    public ConvTranspose2d(long in, long out, long kernel, long stride, long padding, long outputPadding, int groups,
            boolean bias, long dilation) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding).outputPadding(outputPadding)
                .groups(groups).bias(bias).dilation(dilation));
    }

    /** With options by name. */
    public ConvTranspose2d(long in, long out, long kernel, ConvOptions options) {
        super(2, true, in, out, new long[]{kernel}, options);
    }

    /** With a size, a step and a padding for each dimension. */
    public ConvTranspose2d(long in, long out, long[] kernel, long[] stride, long[] padding) {
        this(in, out, kernel, new ConvOptions().stride(stride).padding(padding));
    }

    /** With a size for each dimension, and options by name. */
    public ConvTranspose2d(long in, long out, long[] kernel, ConvOptions options) {
        super(2, true, in, out, kernel, options);
    }

    @Override
    Tensor convolve(Tensor input, long[] sides) {
        return Functional.convTranspose2d(input, parametrized(weight), parametrized(bias), stride, sides, outputPadding,
                groups, dilation);
    }
}
