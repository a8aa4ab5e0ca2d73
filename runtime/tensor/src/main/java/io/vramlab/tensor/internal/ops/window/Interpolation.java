package io.vramlab.tensor.internal.ops.window;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.List;

/**
 * Resizing of the last dimensions of [n, c, …] as torch.nn.functional.interpolate does it: nearest, nearest-exact, linear,
 * bilinear, trilinear, bicubic; area is {@link AdaptivePools}'s. Sources are computed in float32, as there.
 */
public final class Interpolation {

    private static final double CUBIC = -0.75;
    private static final List<String> MODES = List.of("nearest", "nearest-exact", "linear", "bilinear", "trilinear",
            "bicubic", "area");

    private Interpolation() {
    }

    /** In float32 under autocast, as PyTorch's kernels are called; means over areas stay in their dtype. */
    public static TensorImpl underAutocast(TensorImpl a, long[] size, double[] factor, String mode,
            boolean alignCorners) {
        return mode.equals("area")
                ? of(a, size, factor, mode, alignCorners)
                : AutocastMode.full(x -> of(x[0], size, factor, mode, alignCorners), a);
    }

    /**
     * Resizes.
     *
     * @param size
     *            the result's sizes, one or one each; null with factors
     * @param factor
     *            by what to multiply the sizes; null with sizes
     */
    private static TensorImpl of(TensorImpl a, long[] size, double[] factor, String mode, boolean alignCorners) {
        int dims = a.rank() - 2;
        check(a, size, factor, mode, alignCorners);
        long[] shape = a.shape().clone();
        double[] factors = new double[dims];
        for (int d = 0; d < dims; d++) {
            factors[d] = factor == null ? 0 : factor[factor.length == 1 ? 0 : d];
            shape[d + 2] = size != null
                    ? size[size.length == 1 ? 0 : d]
                    : (long) Math.floor((float) a.shape()[d + 2] * factors[d]);
        }
        if (mode.equals("area")) {
            return AdaptivePools.averages(a, Arrays.copyOfRange(shape, 2, shape.length));
        }
        boolean last = a.rank() == 4 && MemoryOrder.suggestsChannelsLast(a);
        Separable weights = weights(a.shape(), shape, factors, mode, alignCorners);
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(MemoryOrder.laid(a, last));
            TensorImpl out = t.own(MemoryOrder.empty(a, shape, last));
            weights.forward(out, x);
            if (Graph.wanted(a)) {
                long[] was = a.shape();
                Graph.recordUnary(name(mode, dims), out, a, (n, g) -> {
                    try (Temps inner = new Temps()) {
                        boolean gradLast = g.rank() == 4 && MemoryOrder.suggestsChannelsLast(g)
                                && !mode.equals("bicubic");
                        TensorImpl grad = inner.own(MemoryOrder.empty(g, was, gradLast));
                        TensorImpl dense = inner.own(MemoryOrder.laid(g, gradLast));
                        weights.backward(grad, dense);
                        return inner.give(grad);
                    }
                });
            }
            return t.give(out);
        }
    }

    private static String name(String mode, int dims) {
        String kind = switch (mode) {
            case "nearest" -> "Nearest" + dims + "D";
            case "nearest-exact" -> "NearestExact" + dims + "D";
            case "linear" -> "Linear1D";
            case "bilinear" -> "Bilinear2D";
            case "bicubic" -> "Bicubic2D";
            default -> "Trilinear3D";
        };
        return "Upsample" + kind + "Backward0";
    }

    private static void check(TensorImpl a, long[] size, double[] factor, String mode, boolean alignCorners) {
        int dims = a.rank() - 2;
        if (!MODES.contains(mode)) {
            throw new TensorException("interpolate was asked for the mode \"" + mode + "\": there are " + MODES + ".");
        }
        int wanted = switch (mode) {
            case "linear" -> 1;
            case "bilinear", "bicubic" -> 2;
            case "trilinear" -> 3;
            default -> dims;
        };
        if (dims < 1 || dims > 3 || dims != wanted) {
            throw new TensorException("Got a tensor of shape " + Shape.text(a.shape()) + " for interpolate with mode "
                    + mode + ": it takes [n, channels, …] with " + (wanted == dims ? "1 to 3" : wanted)
                    + " sizes behind.");
        }
        if ((size == null) == (factor == null)) {
            throw new TensorException(
                    "interpolate was given " + (size == null ? "neither" : "both") + " of size and scale factor: "
                            + (size == null
                                    ? "either size or scale_factor should be defined."
                                    : "only one of size or scale_factor should be defined."));
        }
        int given = size == null ? factor.length : size.length;
        if (given != 1 && given != dims) {
            throw new TensorException("interpolate of " + Shape.text(a.shape()) + " was given " + given
                    + " sizes or factors: give 1 or " + dims + ".");
        }
        if (alignCorners && (mode.startsWith("nearest") || mode.equals("area"))) {
            throw new TensorException("align_corners option can only be set with the interpolating modes: linear | "
                    + "bilinear | bicubic | trilinear, but the mode is " + mode + ".");
        }
    }

    private static Separable weights(long[] in, long[] out, double[] factors, String mode, boolean alignCorners) {
        Separable.Axis[] axes = new Separable.Axis[in.length - 2];
        for (int d = 0; d < axes.length; d++) {
            axes[d] = axis(Math.toIntExact(in[d + 2]), Math.toIntExact(out[d + 2]), factors[d], mode, alignCorners);
        }
        return new Separable(axes);
    }

    private static Separable.Axis axis(int in, int out, double factor, String mode, boolean alignCorners) {
        float scale = alignCorners
                ? out > 1 ? (float) (in - 1) / (out - 1) : 0
                : factor > 0 ? (float) (1 / factor) : (float) in / out;
        int[][] from = new int[out][];
        double[][] weights = new double[out][];
        for (int o = 0; o < out; o++) {
            if (mode.startsWith("nearest")) {
                float at = mode.equals("nearest") ? o * scale : (o + 0.5f) * scale;
                from[o] = new int[]{Math.min((int) Math.floor(at), in - 1)};
                weights[o] = new double[]{1};
            } else if (mode.equals("bicubic")) {
                cubic(o, in, alignCorners ? scale * o : scale * (o + 0.5f) - 0.5f, from, weights);
            } else {
                float at = alignCorners ? scale * o : Math.max(0, scale * (o + 0.5f) - 0.5f);
                int left = Math.min((int) at, in - 1);
                float part = Math.min(Math.max(at - left, 0), 1);
                from[o] = new int[]{left, left < in - 1 ? left + 1 : left};
                weights[o] = new double[]{1 - part, part};
            }
        }
        return new Separable.Axis(in, from, weights);
    }

    private static void cubic(int o, int in, float at, int[][] from, double[][] weights) {
        int left = (int) Math.floor(at);
        double t = at - left;
        from[o] = new int[4];
        weights[o] = new double[]{far(t + 1), near(t), near(1 - t), far(2 - t)};
        for (int k = 0; k < 4; k++) {
            from[o][k] = Math.max(0, Math.min(in - 1, left - 1 + k));
        }
    }

    private static double near(double x) {
        return ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1;
    }

    private static double far(double x) {
        return ((CUBIC * x - 5 * CUBIC) * x + 8 * CUBIC) * x - 4 * CUBIC;
    }
}
