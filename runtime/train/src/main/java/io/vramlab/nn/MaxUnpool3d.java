package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Puts the values of {@link MaxPool3d#callWithIndices} back where they came from, zeros elsewhere. Backward holds
 * values and positions. Computed on the host, whatever the device.
 */
public class MaxUnpool3d {

    private final long[] kernel;
    private final long[] stride;
    private final long[] padding;

    /**
     * For windows side by side.
     *
     * @param kernel
     *            size of the windows
     */
    public MaxUnpool3d(long kernel) {
        this(kernel, kernel, 0);
    }

    /**
     * For windows with a step.
     *
     * @param kernel
     *            size of the windows
     * @param stride
     *            step of the windows; their size by default
     */
    public MaxUnpool3d(long kernel, long stride) {
        this(kernel, stride, 0);
    }

    /**
     * For windows with a step and a padding.
     *
     * @param kernel
     *            size of the windows
     * @param stride
     *            step of the windows; their size by default
     * @param padding
     *            on each side; 0 by default
     */
    public MaxUnpool3d(long kernel, long stride, long padding) {
        this.kernel = new long[]{kernel};
        this.stride = new long[]{stride};
        this.padding = new long[]{padding};
    }

    /**
     * Puts values back to their positions, in the smallest output that the windows fit.
     *
     * @param input
     *            the largest, [n, c, d, h, w], or without the batch
     * @param indices
     *            int64, of the input's shape: where they were
     * @return zeros where no value was
     * @throws io.vramlab.tensor.type.TensorException
     *             if the positions are not int64, of another shape or outside of the output
     */
    public Tensor call(Tensor input, Tensor indices) {
        return Functional.maxUnpool3d(input, indices, kernel, stride, padding);
    }

    /**
     * Into given sizes of the last dimensions, of several that are possible.
     *
     * @param input
     *            the largest, [n, c, d, h, w], or without the batch
     * @param indices
     *            int64, of the input's shape: where they were
     * @param outputSize
     *            3 sizes, or all of the output's: windows with a step fit several
     * @return zeros where no value was
     * @throws io.vramlab.tensor.type.TensorException
     *             if the positions are not int64, of another shape or outside of the output
     */
    public Tensor call(Tensor input, Tensor indices, long... outputSize) {
        return Functional.maxUnpool(input, indices, outputSize);
    }
}
