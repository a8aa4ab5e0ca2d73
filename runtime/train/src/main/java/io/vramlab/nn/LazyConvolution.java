package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** What the six lazy convolutions share: the channels of their input are those of the first. */
abstract class LazyConvolution extends Lazy {

    private final int dims;
    private final long out;
    private final long[] kernel;
    private final ConvOptions options;

    LazyConvolution(int dims, long out, long[] kernel, ConvOptions options) {
        this.dims = dims;
        this.out = out;
        this.kernel = kernel.clone();
        this.options = options;
    }

    /** The layer, of so many channels. */
    abstract Module made(long in, long channels, long[] size, ConvOptions o);

    @Override
    final Module made(Tensor input) {
        return made(channels(input, dims, getClass().getSimpleName()), out, kernel, options);
    }

    @Override
    final String unknown() {
        return Convolutional.text(dims, 0, out, kernel, options);
    }
}
