package io.vramlab.nn;

/** A {@link ConvTranspose3d} whose input channels are those of the first input. */
public final class LazyConvTranspose3d extends LazyConvolution {

    /**
     * Stride 1, no padding, a bias.
     *
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, for instance 3
     */
    public LazyConvTranspose3d(long out, long kernel) {
        this(out, kernel, new ConvOptions());
    }

    /**
     * With options by name.
     *
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, for instance 3
     * @param options
     *            stride, padding, dilation, groups and so on by name
     */
    public LazyConvTranspose3d(long out, long kernel, ConvOptions options) {
        this(out, new long[]{kernel}, options);
    }

    /**
     * With a size for each dimension, and options by name.
     *
     * @param out
     *            channels of the output
     * @param kernel
     *            size in each dimension, one number for all dimensions or 3 of them
     * @param options
     *            stride, padding, dilation, groups and so on by name
     */
    public LazyConvTranspose3d(long out, long[] kernel, ConvOptions options) {
        super(3, out, kernel, options);
    }

    @Override
    Module made(long in, long channels, long[] size, ConvOptions o) {
        return new ConvTranspose3d(in, channels, size, o);
    }
}
