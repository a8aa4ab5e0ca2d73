package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Puts the values of {@link MaxPool3d#callWithIndices} back where they came from, zeros elsewhere. */
public final class MaxUnpool3d {

    private final long[] kernel;
    private final long[] stride;
    private final long[] padding;

    /** For windows side by side. */
    public MaxUnpool3d(long kernel) {
        this(kernel, kernel, 0);
    }

    /** For windows with a step. */
    public MaxUnpool3d(long kernel, long stride) {
        this(kernel, stride, 0);
    }

    /** For windows with a step and a padding. */
    public MaxUnpool3d(long kernel, long stride, long padding) {
        this.kernel = new long[]{kernel};
        this.stride = new long[]{stride};
        this.padding = new long[]{padding};
    }

    /** Values and their positions, of one shape. */
    public Tensor call(Tensor input, Tensor indices) {
        return Functional.maxUnpool3d(input, indices, kernel, stride, padding);
    }

    /** Into given sizes of the last dimensions, of several that are possible. */
    public Tensor call(Tensor input, Tensor indices, long... outputSize) {
        return Functional.maxUnpool(input, indices, outputSize);
    }
}
