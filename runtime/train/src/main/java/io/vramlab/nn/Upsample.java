package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Resizes [n, c, …]: {@code new Upsample(2)} doubles by the nearest neighbours, {@code new Upsample(2, "bilinear")}
 * interpolates. Modes are {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, {@code trilinear},
 * {@code bicubic}. Backward holds nothing: interpolation is linear. A mode or a number of sizes that does not fit the
 * input is a {@code TensorException} of the call.
 */
public class Upsample extends Module {

    private final long[] size;
    private final double[] factor;
    private final String mode;
    private final boolean alignCorners;

    /**
     * By a factor, to the nearest neighbours.
     *
     * @param scaleFactor
     *            output size over input size, in each dimension
     */
    public Upsample(double scaleFactor) {
        this(scaleFactor, "nearest");
    }

    /**
     * By a factor.
     *
     * @param scaleFactor
     *            output size over input size, in each dimension
     * @param mode
     *            {@code nearest} by default; see the class comment
     */
    public Upsample(double scaleFactor, String mode) {
        this(scaleFactor, mode, false);
    }

    /**
     * By a factor; with corners aligned the outermost elements stay where they are.
     *
     * @param scaleFactor
     *            output size over input size, in each dimension
     * @param mode
     *            {@code nearest} by default; see the class comment
     * @param alignCorners
     *            false by default; the interpolating modes alone have it
     */
    public Upsample(double scaleFactor, String mode, boolean alignCorners) {
        this(null, new double[]{scaleFactor}, mode, alignCorners);
    }

    /**
     * To sizes, one for all dimensions or one each.
     *
     * @param size
     *            of the spatial dimensions
     * @param mode
     *            {@code nearest} by default; see the class comment
     * @param alignCorners
     *            false by default; the interpolating modes alone have it
     */
    public Upsample(long[] size, String mode, boolean alignCorners) {
        this(size.clone(), null, mode, alignCorners);
    }

    /**
     * By factors, one each.
     *
     * @param scaleFactor
     *            output size over input size, one per spatial dimension
     * @param mode
     *            {@code nearest} by default; see the class comment
     * @param alignCorners
     *            false by default; the interpolating modes alone have it
     */
    public Upsample(double[] scaleFactor, String mode, boolean alignCorners) {
        this(null, scaleFactor.clone(), mode, alignCorners);
    }

    private Upsample(long[] size, double[] factor, String mode, boolean alignCorners) {
        this.size = size;
        this.factor = factor;
        this.mode = mode;
        this.alignCorners = alignCorners;
    }

    /**
     * {@return a module that resizes to those sizes by the nearest neighbours}
     *
     * @param size
     *            one for all spatial dimensions or one each
     */
    public static Upsample to(long... size) {
        return new Upsample(size, "nearest", false);
    }

    @Override
    public Tensor forward(Tensor input) {
        return size == null
                ? Functional.interpolate(input, factor, mode, alignCorners)
                : Functional.interpolate(input, size, mode, alignCorners);
    }

    @Override
    protected String extraRepr() {
        String how = size != null
                ? "size=" + Numbers.tuple(size)
                : "scale_factor=" + (factor.length == 1 ? Numbers.text(factor[0]) : java.util.Arrays.toString(factor));
        return how + ", mode='" + mode + "'";
    }
}
