package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Resizes [n, c, …]: {@code new Upsample(2)} doubles by the nearest neighbours, {@code new Upsample(2, "bilinear")}
 * interpolates. Modes are {@code nearest}, {@code nearest-exact}, {@code linear}, {@code bilinear}, {@code trilinear},
 * {@code bicubic}.
 */
public final class Upsample extends Module {

    private final long[] size;
    private final double[] factor;
    private final String mode;
    private final boolean alignCorners;

    /** By a factor, to the nearest neighbours. */
    public Upsample(double scaleFactor) {
        this(scaleFactor, "nearest");
    }

    /** By a factor. */
    public Upsample(double scaleFactor, String mode) {
        this(scaleFactor, mode, false);
    }

    /** By a factor; with corners aligned the outermost elements stay where they are. */
    public Upsample(double scaleFactor, String mode, boolean alignCorners) {
        this(null, new double[]{scaleFactor}, mode, alignCorners);
    }

    /** To sizes, one for all dimensions or one each. */
    public Upsample(long[] size, String mode, boolean alignCorners) {
        this(size.clone(), null, mode, alignCorners);
    }

    /** By factors, one each. */
    public Upsample(double[] scaleFactor, String mode, boolean alignCorners) {
        this(null, scaleFactor.clone(), mode, alignCorners);
    }

    private Upsample(long[] size, double[] factor, String mode, boolean alignCorners) {
        this.size = size;
        this.factor = factor;
        this.mode = mode;
        this.alignCorners = alignCorners;
    }

    /** To sizes, by the nearest neighbours. */
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
