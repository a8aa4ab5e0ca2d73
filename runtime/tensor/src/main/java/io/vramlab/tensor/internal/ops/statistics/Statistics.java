package io.vramlab.tensor.internal.ops.statistics;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.ReducedDims;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.reduce.Variances;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Sums and products of more than the elements themselves; formulas are PyTorch's. */
public final class Statistics {

    private Statistics() {
    }

    /** log of the sum of exponentials over dimensions. */
    public static TensorImpl logsumexp(TensorImpl a, int[] dims, boolean keep) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl most = t.own(Extremes.extremeAlong(a, reduced));
            finite(most);
            TensorImpl result;
            try (Temps u = new Temps()) {
                TensorImpl shifted = u.own(Elementwise.sub(a, most, 1));
                Launch.into(ElementOp.EXP, Launch.NONE, shifted, shifted);
                result = t.own(Reductions.reduce(ReduceOp.SUM, shifted, reduced, keep, a.dtype()));
            }
            Launch.into(ElementOp.LOG, Launch.NONE, result, result);
            TensorImpl added = keep ? most : t.own(most.alias(result.shape(), Shape.contiguous(result.shape()), 0));
            Launch.into(ElementOp.ADD, new double[]{1}, result, result, added);
            out = t.give(result);
        }
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("LogsumexpBackward0", out, a, (n, g) -> {
                TensorImpl x = n.saved(0);
                try (Temps t = new Temps()) {
                    TensorImpl grad = t.own(ReducedDims.keepDims(g, x.shape(), reduced, keep));
                    TensorImpl result = t.own(ReducedDims.keepDims(n.saved(1), x.shape(), reduced, keep));
                    TensorImpl difference = t.own(Elementwise.sub(x, result, 1));
                    TensorImpl share = t.own(Pointwise.exp(difference));
                    return Elementwise.mul(grad, share);
                }
            });
            node.save(Graph.input(node, a), Graph.result(node, out));
        }
        return out;
    }

    /** Infinities become 0. */
    private static void finite(TensorImpl most) {
        try (Temps t = new Temps()) {
            TensorImpl size = t.own(Launch.unary(ElementOp.ABS, most, most.dtype()));
            TensorImpl infinite = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, size, Double.POSITIVE_INFINITY));
            Launch.into(ElementOp.MASKED_FILL, new double[]{0}, most, most, infinite);
        }
    }

    /** Product of all, or along dimensions. */
    public static TensorImpl prod(TensorImpl a, int[] dims, boolean keep) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        DType out = a.dtype().isFloatingPoint() ? a.dtype() : DType.INT64;
        TensorImpl result = Reductions.reduce(ReduceOp.PROD, a, reduced, keep, out);
        if (Graph.wanted(a)) {
            boolean all = dims.length == 0;
            Node node = Graph.recordUnary("ProdBackward0", result, a, (n, g) -> prodBackward(n, g, reduced, keep, all));
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** Where no element is zero, the product by the element; PyTorch looks for zeros first, in memory that goes again. */
    private static TensorImpl prodBackward(Node n, TensorImpl g, boolean[] reduced, boolean keep, boolean all) {
        TensorImpl x = n.saved(0);
        try (Temps t = new Temps()) {
            TensorImpl zero = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, x, 0));
            boolean found = false;
            if (all) {
                try (Temps u = new Temps()) {
                    if (zero.driver().holdsValues()) {
                        TensorImpl where = u.own(NonZero.of(zero));
                        found = where.shape()[0] > 0;
                    }
                }
            } else {
                TensorImpl many = t.own(Reductions.reduce(ReduceOp.SUM, zero, reduced, true, DType.INT64));
                try (Temps u = new Temps()) {
                    TensorImpl most = u
                            .own(Reductions.reduce(ReduceOp.MAX, many, ReducedDims.mask(many, Reductions.ALL),
                                    false, DType.INT64));
                    found = most.driver().holdsValues() && Elements.whole(Elements.only(most)) > 0;
                }
            }
            if (all) {
                t.free(zero);
            }
            if (found) {
                return others(x, g, reduced, keep);
            }
            TensorImpl grad = t.own(ReducedDims.keepDims(g, x.shape(), reduced, keep));
            TensorImpl result = t.own(ReducedDims.keepDims(n.saved(1), x.shape(), reduced, keep));
            TensorImpl ratio = t.own(Elementwise.div(result, x));
            return Elementwise.mul(grad, ratio);
        }
    }

    /** With zeros: the product of all others, element by element, from products before and after it. */
    private static TensorImpl others(TensorImpl x, TensorImpl g, boolean[] reduced, boolean keep) {
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(Factories.zerosLike(x));
            double[] values = HostValues.doubles(x);
            double[] out = new double[values.length];
            long[] shape = x.shape();
            for (int i = 0; i < values.length; i++) {
                double product = 1;
                for (int j = 0; j < values.length; j++) {
                    if (i != j && together(i, j, shape, reduced)) {
                        product *= values[j];
                    }
                }
                out[i] = product;
            }
            TensorImpl products = t.own(Sorts.sent(x, out));
            TensorImpl incoming = t.own(ReducedDims.keepDims(g, shape, reduced, keep));
            Launch.into(ElementOp.MUL, Launch.NONE, grad, products, incoming);
            return t.give(grad);
        }
    }

    private static boolean together(int i, int j, long[] shape, boolean... reduced) {
        long a = i;
        long b = j;
        for (int d = shape.length - 1; d >= 0; d--) {
            if (!reduced[d] && a % shape[d] != b % shape[d]) {
                return false;
            }
            a /= shape[d];
            b /= shape[d];
        }
        return true;
    }

    /** Standard deviation or variance, and the mean. */
    public static TensorImpl[] withMean(TensorImpl a, int[] dims, boolean keep, double correction, boolean root) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        DType dtype = Promotion.floating(a.dtype());
        try (Temps t = new Temps()) {
            TensorImpl spread;
            TensorImpl mean;
            try (GradMode.State off = GradMode.enter(false)) {
                // the two results, then one pass with memory for both
                long[] shape = ReducedDims.resultShape(a, reduced, keep);
                spread = t.own(TensorImpl.empty(a.device(), dtype, shape));
                mean = t.own(TensorImpl.empty(a.device(), dtype, shape));
                Variances.varianceInto(spread, a, reduced, correction);
                Reductions.meanInto(mean, a, reduced);
                if (root) {
                    Launch.into(ElementOp.SQRT, Launch.NONE, spread, spread);
                }
            }
            if (Graph.wanted(a)) {
                TensorImpl[] both = {spread, mean};
                Node node = Graph.recordSeveral(root ? "StdMeanBackward0" : "VarMeanBackward0", both, (n, grads) -> {
                    try (Temps u = new Temps()) {
                        TensorImpl x = n.saved(0);
                        TensorImpl sum = null;
                        if (grads[0] != null) {
                            sum = u.own(root
                                    ? Norms.stdBackward(grads[0], x, n.saved(1), reduced, keep, correction)
                                    : Variances.varBackward(grads[0], x, reduced, keep, correction));
                        }
                        if (grads[1] != null) {
                            TensorImpl wide = u.own(Sums.spread(grads[1], x.shape(), reduced, keep));
                            TensorImpl share = u.own(Elementwise.div(wide, ReducedDims.inputs(x.shape(), reduced)));
                            sum = u.own(sum == null ? share.retain() : Elementwise.add(sum, share, 1));
                        }
                        return new TensorImpl[]{sum == null ? null : u.give(sum)};
                    }
                }, a);
                if (root) {
                    node.save(Graph.input(node, a), Graph.input(node, t.own(spread.alias())));
                } else {
                    node.save(Graph.input(node, a));
                }
            }
            return t.give(spread, mean);
        }
    }

    /** Sum without NaN. */
    public static TensorImpl nansum(TensorImpl a, int[] dims, boolean keep) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl result = Reductions.reduce(ReduceOp.SUM_NUMBERS, a, reduced, keep, a.dtype());
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            Node node = Graph.recordUnary("NansumBackward0", result, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl wide = t.own(Sums.spread(g, shape, reduced, keep));
                    TensorImpl nan = t.own(Elementwise.compare(ElementOp.NE, n.saved(0), n.saved(0)));
                    TensorImpl number = t.own(Launch.unary(ElementOp.NOT, nan, DType.BOOL));
                    return Elementwise.mul(wide, number);
                }
            });
            node.save(Graph.input(node, a));
        }
        return result;
    }

    /** Mean without NaN. */
    public static TensorImpl nanmean(TensorImpl a, int[] dims, boolean keep) {
        try (Temps t = new Temps()) {
            TensorImpl many;
            try (Temps u = new Temps()) {
                TensorImpl number = u.own(Elementwise.compare(ElementOp.EQ, a, a));
                many = t.own(Sums.sum(number, dims, keep));
            }
            TensorImpl sum = t.own(nansum(a, dims, keep));
            return Elementwise.div(sum, many);
        }
    }

    /** How many are not zero, as int64. */
    public static TensorImpl countNonzero(TensorImpl a, int[] dims) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl marked = t.own(Elementwise.compare(ElementOp.NE_SCALAR, a, 0));
            return Sums.sum(marked, dims, false);
        }
    }

    /** Differences of neighbours along a dimension. */
    public static TensorImpl diff(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank());
        long length = a.shape()[d];
        try (Temps t = new Temps()) {
            TensorImpl sooner = t.own(Views.narrow(a, d, 0, Math.max(0, length - 1)));
            TensorImpl later = t.own(Views.narrow(a, d, Math.min(1, length), Math.max(0, length - 1)));
            return a.dtype() == DType.BOOL
                    ? Launch.binary(ElementOp.XOR, later, sooner, DType.BOOL)
                    : Elementwise.sub(later, sooner, 1);
        }
    }

    /** Sum in another dtype, converted first as PyTorch's kernel for such pairs is not there. */
    public static TensorImpl sumAs(TensorImpl a, DType dtype) {
        if (a.dtype() == dtype) {
            return Sums.sum(a, Reductions.ALL, false);
        }
        boolean[] all = ReducedDims.mask(a, Reductions.ALL);
        TensorImpl result = Reductions.reduceAs(a, all, dtype);
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            Graph.recordUnary("SumBackward0", result, a, (n, g) -> Sums.spread(g, shape, all, false));
        }
        return result;
    }

    public static TensorImpl softmaxAs(TensorImpl a, int dim, DType dtype, boolean log) {
        try (Temps t = new Temps()) {
            return Softmax.of(t.own(Copies.to(a, a.device(), dtype)), dim, log);
        }
    }

    public static TensorImpl[] aminmax(TensorImpl a) {
        if (Graph.wanted(a)) {
            throw new AutogradException("derivative for aten::aminmax is not implemented: call it under NoGrad, or on "
                    + "detached tensors.");
        }
        try (Temps t = new Temps()) {
            TensorImpl least = t.own(TensorImpl.empty(a.device(), a.dtype()));
            TensorImpl most = t.own(TensorImpl.empty(a.device(), a.dtype()));
            Extremes.bothExtremes(least, most, a);
            return t.give(least, most);
        }
    }

    /** How often each whole number is. PyTorch looks at the smallest and the largest first. */
    public static TensorImpl bincount(TensorImpl a, long minLength) {
        if (a.dtype().isFloatingPoint() || a.rank() != 1) {
            throw new TensorException("bincount only supports 1-d non-negative integral inputs, but got " + a.dtype()
                    + Shape.text(a.shape()) + ".");
        }
        NonZero.requireValues(a, "bincount");
        long[] values = HostValues.longs(a);
        long size = minLength;
        for (long v : values) {
            if (v < 0) {
                throw new TensorException(
                        "bincount only supports 1-d non-negative integral inputs, but one is " + v + ".");
            }
            size = Math.max(size, v + 1);
        }
        try (Temps t = new Temps()) {
            if (values.length > 0) {
                for (boolean largest : new boolean[]{false, true}) {
                    Extremes.extreme(a, largest, Reductions.ALL, false).release();
                }
            }
            long[] counts = new long[Math.toIntExact(size)];
            for (long v : values) {
                counts[(int) v]++;
            }
            TensorImpl out = t.own(TensorImpl.empty(a.device(), DType.INT64, size));
            if (size > 0) {
                NonZero.send(out, counts);
            }
            return t.give(out);
        }
    }

    /** The p-norm of a - b. */
    public static TensorImpl dist(TensorImpl a, TensorImpl b, double p) {
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            out = Norms.vector(t.own(Elementwise.sub(a, b, 1)), p, Reductions.ALL, false);
        }
        if (Graph.wanted(a, b)) {
            Node node = Graph.record("DistBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = null;
                    if (n.wants(1)) {
                        try (Temps u = new Temps()) {
                            TensorImpl way = u.own(Elementwise.sub(n.saved(0), n.saved(1), 1));
                            other = t.own(Pointwise.neg(u.own(direction(n, g, way, p))));
                        }
                    }
                    TensorImpl self = null;
                    if (n.wants(0)) {
                        try (Temps u = new Temps()) {
                            self = t.own(direction(n, g, u.own(Elementwise.sub(n.saved(0), n.saved(1), 1)), p));
                        }
                    }
                    return t.give(self, other);
                }
            }, a, b);
            node.save(Graph.input(node, a), Graph.input(node, b), Graph.result(node, out));
        }
        return out;
    }

    private static TensorImpl direction(Node n, TensorImpl g, TensorImpl difference, double p) {
        return Norms.backward(g, difference, n.saved(2), p, ReducedDims.mask(difference, Reductions.ALL), false);
    }
}
