package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/**
 * Normalisation over groups of channels (Wu and He, 2018) of [n, c, …], as PyTorch's CUDA code does it: backward goes
 * through per-channel sums of g x and g, from which three coefficients per channel or group follow.
 */
public final class GroupNorm {

    /** The sizes: batch, channels, groups, elements per channel. */
    private record Sizes(long n, long c, long groups, long spatial) {

        long perGroup() {
            return c / groups;
        }
    }

    private GroupNorm() {
    }

    /** Weight and bias [c], or null. */
    public static TensorImpl of(TensorImpl a, long groups, TensorImpl weight, TensorImpl bias, double eps) {
        if (a.rank() < 2) {
            throw new TensorException("Expected at least 2 dimensions for input tensor but received " + a.rank()
                    + ": groupNorm takes [n, channels, …].");
        }
        if (groups <= 0 || a.shape()[1] % groups != 0) {
            throw new TensorException(
                    "Expected number of channels in input to be divisible by num_groups, but got input "
                            + "of shape " + Shape.text(a.shape()) + " and num_groups=" + groups + ".");
        }
        long c = a.shape()[1];
        for (TensorImpl p : new TensorImpl[]{weight, bias}) {
            if (p != null && (p.rank() != 1 || p.count() != c)) {
                throw new TensorException("Expected weight and bias of groupNorm to be vectors of size equal to the "
                        + "number of channels in input, but got " + Shape.text(p.shape()) + " for input "
                        + Shape.text(a.shape()) + ".");
            }
        }
        long n = a.shape()[0];
        Sizes s = new Sizes(n, c, groups, n * c == 0 ? 0 : a.count() / (n * c));
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl mean = t.own(TensorImpl.empty(a.device(), a.dtype(), n, groups));
            TensorImpl rstd = t.own(TensorImpl.empty(a.device(), a.dtype(), n, groups));
            if (a.count() > 0) {
                forward(t, x, out, mean, rstd, weight, bias, eps, s);
            }
            if (Graph.wanted(a, weight, bias)) {
                Node node = Graph.record("NativeGroupNormBackward0", out, (m, g) -> backward(m, g, s), a, weight, bias);
                node.save(Graph.input(node, x), Graph.inputIf(weight != null, node, weight), Graph.input(node, mean),
                        Graph.input(node, rstd));
            }
            return t.give(out);
        }
    }

    private static DType sums(TensorImpl a) {
        return a.dtype().bytes() < Float.BYTES ? DType.FLOAT32 : a.dtype();
    }

    private static void forward(Temps t, TensorImpl x, TensorImpl out, TensorImpl mean, TensorImpl rstd,
            TensorImpl weight, TensorImpl bias, double eps, Sizes s) {
        long[] rows = {s.n * s.groups, s.perGroup() * s.spatial};
        if (s.spatial > 1 && (weight != null || bias != null)) {
            // PyTorch folds weight, mean and deviation into one factor and one summand per channel
            TensorImpl factor = t.own(TensorImpl.empty(x.device(), sums(x), s.n, s.c));
            TensorImpl summand = t.own(TensorImpl.empty(x.device(), sums(x), s.n, s.c));
            t.free(summand);
            t.free(factor);
        }
        long[] line = {rows[0]};
        x.driver().kernels().layerNorm(operand(out, rows), operand(mean, line), operand(rstd, line), operand(x, rows),
                null, null, eps, x.stream());
        try (Temps views = new Temps()) {
            TensorImpl y = views.own(seen(out, s.n, s.c, s.spatial));
            TensorImpl w = weight == null ? null : views.own(seen(weight, 1, s.c, 1));
            TensorImpl b = bias == null ? null : views.own(seen(bias, 1, s.c, 1));
            if (w != null) {
                Launch.into(ElementOp.MUL, Launch.NONE, y, y, w);
            }
            if (b != null) {
                Launch.into(ElementOp.ADD, new double[]{1}, y, y, b);
            }
        }
    }

    /** The contiguous elements in another shape, outside the graph. */
    private static TensorImpl seen(TensorImpl a, long... shape) {
        return a.alias(shape, Shape.contiguous(shape), a.offset());
    }

    private static Operand operand(TensorImpl a, long[] shape) {
        return new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, Sizes s) {
        try (Temps t = new Temps()) {
            TensorImpl x = n.saved(0);
            TensorImpl weight = n.saved(1);
            TensorImpl dy = t.own(Copies.contiguous(g));
            TensorImpl dx = n.wants(0) ? t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape())) : null;
            TensorImpl dw = n.wants(1) ? t.own(TensorImpl.empty(x.device(), x.dtype(), s.c)) : null;
            TensorImpl db = n.wants(2) ? t.own(TensorImpl.empty(x.device(), x.dtype(), s.c)) : null;
            if (x.count() > 0) {
                try (Temps inner = new Temps(); GradMode.State off = GradMode.enter(false)) {
                    compute(inner, n, x, dy, weight, dx, dw, db, s);
                }
            }
            return t.give(dx, dw, db);
        }
    }

    private static void compute(Temps t, Node n, TensorImpl x, TensorImpl dy, TensorImpl weight, TensorImpl dx,
            TensorImpl dw, TensorImpl db, Sizes s) {
        TensorImpl ds = t.own(TensorImpl.empty(x.device(), sums(x), s.n, s.c));
        TensorImpl sum = t.own(TensorImpl.empty(x.device(), sums(x), s.n, s.c));
        TensorImpl c2 = null;
        TensorImpl c3 = null;
        TensorImpl c1 = null;
        if (dx != null) {
            // the first coefficient is declared before the others and takes its memory after them
            c2 = TensorImpl.empty(x.device(), sums(x), s.n, s.groups);
            c3 = TensorImpl.empty(x.device(), sums(x), s.n, s.groups);
            c1 = weight != null && s.spatial > 1 ? TensorImpl.empty(x.device(), sums(x), s.n, s.c) : null;
            if (c1 != null) {
                t.own(c1);
            }
            t.own(c2);
            t.own(c3);
        }
        TensorImpl product = dx != null ? dx : t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape()));
        Launch.into(ElementOp.MUL, Launch.NONE, product, dy, x);
        long[] all = {s.n, s.c, s.spatial};
        long[] kept = {s.n, s.c, 1};
        reduce(ds, kept, product, all);
        reduce(sum, kept, dy, all);
        weights(t, n, ds, sum, product, dw, db, s);
        if (dx != null) {
            input(t, n, x, dy, weight, dx, ds, sum, c1, c2, c3, s);
        }
    }

    private static void reduce(TensorImpl out, long[] kept, TensorImpl in, long[] all) {
        in.driver().kernels().reduce(ReduceOp.SUM, operand(out, kept), operand(in, all), in.stream());
    }

    /** Of weight and bias; the product is no longer needed and lends its memory. */
    private static void weights(Temps t, Node n, TensorImpl ds, TensorImpl sum, TensorImpl product, TensorImpl dw,
            TensorImpl db, Sizes s) {
        long[] channels = {s.n, s.c};
        long[] one = {1, s.c};
        if (db != null) {
            reduce(db, one, sum, channels);
        }
        if (dw != null) {
            // (ds - sum * mean) * rstd of each channel, in place; then ds is as it was again
            long[] grouped = {s.n, s.groups, s.perGroup()};
            TensorImpl d = t.own(seen(ds, grouped));
            TensorImpl m = t.own(seen(n.saved(2), s.n, s.groups, 1));
            TensorImpl r = t.own(seen(n.saved(3), s.n, s.groups, 1));
            TensorImpl u = t.own(seen(sum, grouped));
            Launch.into(ElementOp.ADDCMUL, new double[]{-1}, d, d, u, m);
            Launch.into(ElementOp.MUL, Launch.NONE, d, d, r);
            reduce(dw, one, ds, channels);
            Launch.into(ElementOp.DIV, Launch.NONE, d, d, r);
            Launch.into(ElementOp.ADDCMUL, new double[]{1}, d, d, u, m);
        }
    }

    private static void input(Temps t, Node n, TensorImpl x, TensorImpl dy, TensorImpl weight, TensorImpl dx,
            TensorImpl ds, TensorImpl sum, TensorImpl c1, TensorImpl c2, TensorImpl c3, Sizes s) {
        if (weight != null) {
            TensorImpl w = t.own(seen(weight, 1, s.c));
            Launch.into(ElementOp.MUL, Launch.NONE, ds, ds, w);
            Launch.into(ElementOp.MUL, Launch.NONE, sum, sum, w);
        }
        long[] grouped = {s.n, s.groups, s.perGroup()};
        long[] kept = {s.n, s.groups, 1};
        reduce(c2, kept, ds, grouped);
        reduce(c3, kept, sum, grouped);
        TensorImpl mean = n.saved(2);
        TensorImpl rstd = n.saved(3);
        double scale = 1.0 / (s.perGroup() * s.spatial);
        // c2 = (c3 mean - c2) rstd^3 scale; c3 = -c2 mean - c3 rstd scale
        Launch.into(ElementOp.NEG, Launch.NONE, c2, c2);
        Launch.into(ElementOp.ADDCMUL, new double[]{1}, c2, c2, c3, mean);
        for (int i = 0; i < 3; i++) {
            Launch.into(ElementOp.MUL, Launch.NONE, c2, c2, rstd);
        }
        Launch.into(ElementOp.MUL_SCALAR, new double[]{scale}, c2, c2);
        Launch.into(ElementOp.MUL, Launch.NONE, c3, c3, rstd);
        Launch.into(ElementOp.MUL_SCALAR, new double[]{-scale}, c3, c3);
        Launch.into(ElementOp.ADDCMUL, new double[]{-1}, c3, c3, c2, mean);
        long[] rows = {s.n, s.groups, s.perGroup(), s.spatial};
        TensorImpl out = t.own(seen(dx, rows));
        TensorImpl gs = t.own(seen(dy, rows));
        TensorImpl xs = t.own(seen(x, rows));
        TensorImpl r = t.own(seen(rstd, s.n, s.groups, 1, 1));
        Launch.into(ElementOp.MUL, Launch.NONE, out, gs, r);
        if (weight != null) {
            Launch.into(ElementOp.MUL, Launch.NONE, out, out, t.own(seen(weight, 1, s.groups, s.perGroup(), 1)));
        }
        Launch.into(ElementOp.ADDCMUL, new double[]{1}, out, out, xs, t.own(seen(c2, s.n, s.groups, 1, 1)));
        Launch.into(ElementOp.ADD, new double[]{1}, out, out, t.own(seen(c3, s.n, s.groups, 1, 1)));
    }
}
