package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Resizes [n, c, h, w] bilinearly, corners aligned. Backward holds nothing. PyTorch's older name of {@link Upsample}.
 */
public class UpsamplingBilinear2d extends Module {

    private final long[] size;
    private final double[] factor;

    /**
     * By a factor.
     *
     * @param scaleFactor
     *            output size over input size, of height and width
     */
    public UpsamplingBilinear2d(double scaleFactor) {
        this.size = null;
        this.factor = new double[]{scaleFactor};
    }

    /**
     * To a height and a width.
     *
     * @param height
     *            of the output
     * @param width
     *            of the output
     */
    public UpsamplingBilinear2d(long height, long width) {
        this.size = new long[]{height, width};
        this.factor = null;
    }

    @Override
    public Tensor forward(Tensor input) {
        return size == null
                ? Functional.interpolate(input, factor, "bilinear", true)
                : Functional.interpolate(input, size, "bilinear", true);
    }

    @Override
    protected String extraRepr() {
        return (size == null ? "scale_factor=" + Numbers.text(factor[0]) : "size=" + Numbers.tuple(size))
                + ", mode='bilinear'";
    }
}
