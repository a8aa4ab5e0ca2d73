package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.values.HostLoops;
import java.util.Arrays;

/** p-norms over some or all dimensions. */
public final class Norms {

    private Norms() {
    }

    /**
     * (sum of |a|^p)^(1/p); for infinity the largest magnitude, for 0 how many are not zero. Of 1, 2 and infinity one kernel
     * makes it, as of every p in PyTorch; of others the host does on a GPU, and on the CPU magnitudes and powers are tensors for a while.
     */
    public static TensorImpl vector(TensorImpl a, double p, int[] dims, boolean keep) {
        return vector(a, p, dims, keep, Promotion.floating(a.dtype()));
    }

    /** As above, with a result of that dtype, and without a copy of the tensor in it. */
    public static TensorImpl vector(TensorImpl a, double p, int[] dims, boolean keep, DType dtype) {
        if (p == 2) {
            return EuclideanNorm.norm(a, dims, keep, dtype);
        }
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl out;
        if (p == 1) {
            out = Reductions.reduce(ReduceOp.NORM1, a, reduced, keep, dtype);
        } else if (p == Double.POSITIVE_INFINITY) {
            out = Reductions.reduce(ReduceOp.MAX_MAGNITUDE, a, reduced, keep, dtype);
        } else {
            out = a.device().isCuda() ? onHost(a, p, reduced, keep, dtype) : powers(a, p, reduced, keep, dtype);
        }
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("LinalgVectorNormBackward0", out, a,
                    (n, g) -> EuclideanNorm.as(n.saved(0), backward(g, n.saved(0), n.saved(1), p, reduced, keep)));
            node.save(Graph.input(node, a), Graph.result(node, out));
        }
        return out;
    }

    /** Takes what a kernel that adds magnitudes takes. */
    private static TensorImpl onHost(TensorImpl a, double p, boolean[] reduced, boolean keep, DType dtype) {
        TensorImpl out = TensorImpl.empty(a.device(), dtype, ReducedDims.resultShape(a, reduced, keep));
        Reductions.withScratch(a, reduced, Accumulator.bytes(ReduceOp.NORM1, a.dtype()),
                () -> HostLoops.fill(out, () -> norms(HostLoops.read(a), a.shape(), reduced, p)));
        return out;
    }

    private static double[] norms(double[] x, long[] shape, boolean[] reduced, double p) {
        int[] steps = new int[shape.length];
        int kept = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            steps[d] = reduced[d] ? 0 : kept;
            kept *= reduced[d] ? 1 : (int) shape[d];
        }
        double[] out = new double[kept];
        Arrays.fill(out, p == Double.NEGATIVE_INFINITY ? Double.POSITIVE_INFINITY : 0);
        for (int i = 0; i < x.length; i++) {
            int at = 0;
            int rest = i;
            for (int d = shape.length - 1; d >= 0; d--) {
                at += rest % (int) shape[d] * steps[d];
                rest /= (int) shape[d];
            }
            double size = Math.abs(x[i]);
            out[at] = p == Double.NEGATIVE_INFINITY
                    ? Math.min(out[at], size)
                    : out[at] + (p == 0 ? size == 0 ? 0 : 1 : Math.pow(size, p));
        }
        if (p != 0 && p != Double.NEGATIVE_INFINITY) {
            Arrays.setAll(out, i -> Math.pow(out[i], 1 / p));
        }
        return out;
    }

    private static TensorImpl powers(TensorImpl a, double p, boolean[] reduced, boolean keep, DType dtype) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl size = t.own(Launch.unary(p == 0 ? ElementOp.NE_SCALAR : ElementOp.ABS, a, dtype, 0));
            if (p == Double.NEGATIVE_INFINITY) {
                return Reductions.reduce(ReduceOp.MIN, size, reduced, keep, dtype);
            }
            if (p != 0) {
                Launch.into(ElementOp.POW_SCALAR, new double[]{p}, size, size);
            }
            TensorImpl out = t.own(Reductions.reduce(ReduceOp.SUM, size, reduced, keep, dtype));
            if (p != 0) {
                Launch.into(ElementOp.POW_SCALAR, new double[]{1 / p}, out, out);
            }
            return t.give(out);
        }
    }

    /** PyTorch's norm_backward. */
    public static TensorImpl backward(TensorImpl g, TensorImpl x, TensorImpl norm, double p, boolean[] reduced,
            boolean keep) {
        if (p == 0) {
            return Factories.zerosLike(x);
        }
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(ReducedDims.keepDims(g, x.shape(), reduced, keep));
            TensorImpl whole = t.own(ReducedDims.keepDims(norm, x.shape(), reduced, keep));
            if (p == 1) {
                TensorImpl sign = t.own(Pointwise.sign(x));
                return Elementwise.mul(sign, grad);
            }
            if (p == 2) {
                return EuclideanNorm.normBackward(grad, x, whole);
            }
            if (Double.isInfinite(p)) {
                return extremes(t, grad, x, whole, reduced);
            }
            if (p < 2) {
                TensorImpl sign = t.own(Pointwise.sign(x));
                TensorImpl power = t.own(Pointwise.pow(t.own(Pointwise.abs(x)), p - 1));
                TensorImpl self = t.own(Elementwise.mul(sign, power));
                return scaled(t, self, grad, whole, p);
            }
            TensorImpl size = t.own(Pointwise.abs(x));
            TensorImpl power = t.own(p == 3 && !GradMode.isEnabled() ? size.retain() : Pointwise.pow(size, p - 2));
            TensorImpl self = t.own(Elementwise.mul(x, power));
            t.free(power);
            t.free(size);
            return scaled(t, self, grad, whole, p);
        }
    }

    private static TensorImpl scaled(Temps t, TensorImpl self, TensorImpl grad, TensorImpl norm, double p) {
        TensorImpl scale;
        try (Temps u = new Temps()) {
            scale = t.own(Elementwise.div(grad, u.own(Pointwise.pow(norm, p - 1))));
        }
        try (Temps u = new Temps()) {
            TensorImpl zero = u.own(Elementwise.compare(ElementOp.EQ_SCALAR, norm, 0));
            InPlace.maskedFill(scale, zero, 0);
        }
        return Elementwise.mul(self, scale);
    }

    private static TensorImpl extremes(Temps t, TensorImpl grad, TensorImpl x, TensorImpl norm, boolean... reduced) {
        TensorImpl size = t.own(Pointwise.abs(x));
        TensorImpl mask;
        try (Temps u = new Temps()) {
            TensorImpl equal = u.own(Elementwise.compare(ElementOp.EQ, size, norm));
            TensorImpl nan = u.own(Elementwise.compare(ElementOp.NE, size, size));
            mask = t.own(Launch.binary(ElementOp.OR, equal, nan, DType.BOOL));
        }
        TensorImpl many = t.own(Reductions.reduce(ReduceOp.SUM, mask, reduced, true, DType.INT64));
        TensorImpl share = t.own(Elementwise.div(grad, many));
        TensorImpl sign = t.own(Pointwise.sign(x));
        TensorImpl spread = t.own(Elementwise.mul(sign, share));
        return Elementwise.mul(spread, mask);
    }

    /** The standard deviation: the square root of {@link Variances#var}, with n - correction. */
    public static TensorImpl std(TensorImpl a, int[] dims, boolean keep, double correction) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        DType dtype = Promotion.floating(a.dtype());
        TensorImpl out = Variances.variance(a, reduced, keep, dtype, correction);
        Launch.into(ElementOp.SQRT, Launch.NONE, out, out);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("StdBackward0", out, a, (n, g) -> {
                return stdBackward(g, n.saved(0), n.saved(1), reduced, keep, correction);
            });
            node.save(Graph.input(node, a), Graph.result(node, out));
        }
        return out;
    }

    public static TensorImpl stdBackward(TensorImpl g, TensorImpl x, TensorImpl std, boolean[] reduced, boolean keep,
            double correction) {
        try (Temps t = new Temps()) {
            TensorImpl share;
            try (Temps u = new Temps()) {
                TensorImpl twice = u.own(Elementwise.mul(std, 2, true));
                share = t.own(Elementwise.div(g, twice));
                TensorImpl zero = u.own(Elementwise.compare(ElementOp.EQ_SCALAR, std, 0));
                InPlace.maskedFill(share, zero, 0);
            }
            return Variances.varBackward(share, x, reduced, keep, correction);
        }
    }
}
