package io.vramlab.tensor.internal.ops.loss;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.layer.Activations;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Losses with margins between classes or distances. The first two are one kernel in PyTorch, and come from the host here. */
public final class MarginLosses {

    private MarginLosses() {
    }

    public static TensorImpl multiMargin(TensorImpl x, TensorImpl y, double p, double margin, TensorImpl weight,
            Reduction reduction) {
        if (x.rank() != 2 || y.rank() != 1 || x.shape()[0] != y.shape()[0] || p != 1 && p != 2) {
            throw new TensorException("multi_margin_loss of p=" + p + " was asked of an input of shape "
                    + Shape.text(x.shape()) + " and a target of shape " + Shape.text(y.shape())
                    + ": they are [n, classes] and [n], and p is 1 or 2.");
        }
        int classes = (int) x.shape()[1];
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(Copies.contiguous(x));
            Rows each = (values, slopes) -> margins(values, HostLoops.read(y), classes, p, margin,
                    weight == null ? null : HostLoops.read(weight), slopes);
            return reduced(t, "MultiMarginLossBackward0", a, x, each, reduction, null, y, weight);
        }
    }

    /** What each row loses; its slopes are written where wanted. */
    private interface Rows {
        double[] of(double[] values, double[] slopes);
    }

    private static double[] margins(double[] x, double[] y, int classes, double p, double margin, double[] weight,
            double[] slopes) {
        double[] out = new double[y.length];
        for (int i = 0; i < x.length; i++) {
            int row = i / classes;
            int right = (int) y[row];
            double z = margin - x[row * classes + right] + x[i];
            if (i % classes == right || z <= 0) {
                continue;
            }
            double w = (weight == null ? 1 : weight[right]) / classes;
            out[row] += w * (p == 1 ? z : z * z);
            if (slopes != null) {
                double d = w * (p == 1 ? 1 : 2 * z);
                slopes[i] += d;
                slopes[row * classes + right] -= d;
            }
        }
        return out;
    }

    /** The losses of rows, summed or averaged by way of one number for each; the order of memory is that of PyTorch's kernels. */
    private static TensorImpl reduced(Temps t, String name, TensorImpl a, TensorImpl x, Rows rows, Reduction reduction,
            TensorImpl marks, TensorImpl target, TensorImpl weight) {
        long n = x.rank() == 1 ? 1 : x.shape()[0];
        boolean none = reduction == Reduction.NONE;
        long[] shape = none && x.rank() > 1 ? new long[]{n} : Shape.SCALAR;
        TensorImpl out;
        // a kernel with marks makes its rows' losses first
        TensorImpl first = marks == null || none ? null : TensorImpl.empty(x.device(), x.dtype(), n);
        out = t.own(TensorImpl.empty(x.device(), x.dtype(), shape));
        if (first == null && !none) {
            first = TensorImpl.empty(x.device(), x.dtype(), n);
        }
        if (first != null) {
            first.release();
        }
        double share = reduction == Reduction.MEAN ? 1.0 / n : 1;
        HostLoops.fill(out, () -> {
            double[] each = rows.of(HostLoops.read(a), null);
            return none ? each : new double[]{share * Arrays.stream(each).sum()};
        });
        if (Graph.wanted(x)) {
            Node node = Graph.recordUnary(name, out, x, (m, g) -> {
                TensorImpl was = m.saved(0);
                try (Temps u = new Temps()) {
                    TensorImpl slope = u.own(TensorImpl.empty(was.device(), was.dtype(), was.shape()));
                    HostLoops.fill(slope, () -> {
                        double[] values = HostLoops.read(was);
                        double[] slopes = new double[values.length];
                        rows.of(values, slopes);
                        double[] from = HostLoops.read(g);
                        for (int i = 0; i < slopes.length; i++) {
                            slopes[i] *= share * from[i / (slopes.length / (int) n) % from.length];
                        }
                        return slopes;
                    });
                    return u.give(slope);
                }
            });
            // the formula reads target and weight again
            node.save(Graph.input(node, x), Graph.inputIf(marks != null, node, marks), Graph.input(node, target),
                    Graph.inputIf(weight != null, node, weight));
        }
        return t.give(out);
    }

    /** Each named class against each that is not, up to the first -1 of a row. */
    public static TensorImpl multilabelMargin(TensorImpl x, TensorImpl target, Reduction reduction) {
        if (x.rank() > 2 || x.rank() < 1 || x.rank() != target.rank() || x.count() != target.count()) {
            throw new TensorException("multilabel_margin_loss was asked of an input of shape " + Shape.text(x.shape())
                    + " and a target of shape " + Shape.text(target.shape()) + ": both are [n, classes] or [classes].");
        }
        int classes = (int) x.size(-1);
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(Copies.contiguous(x));
            // which classes are named, for backward
            TensorImpl marks = t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape()));
            return reduced(t, "MultilabelMarginLossBackward0", a, x,
                    (values, slopes) -> labels(values, HostLoops.read(target), classes, slopes), reduction, marks,
                    target, null);
        }
    }

    private static double[] labels(double[] x, double[] named, int classes, double[] slopes) {
        double[] out = new double[x.length / classes];
        for (int row = 0; row < out.length; row++) {
            int base = row * classes;
            boolean[] isNamed = new boolean[classes];
            for (int i = 0; i < classes && named[base + i] >= 0; i++) {
                isNamed[(int) named[base + i]] = true;
            }
            for (int i = 0; i < classes && named[base + i] >= 0; i++) {
                int right = (int) named[base + i];
                for (int j = 0; j < classes; j++) {
                    double z = 1 - x[base + right] + x[base + j];
                    if (!isNamed[j] && z > 0) {
                        out[row] += z / classes;
                        if (slopes != null) {
                            slopes[base + right] -= 1.0 / classes;
                            slopes[base + j] += 1.0 / classes;
                        }
                    }
                }
            }
        }
        return out;
    }

    public static TensorImpl multilabelSoftMargin(TensorImpl x, TensorImpl target, TensorImpl weight,
            Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl yes = t.own(Activations.of(Activations.Kind.LOG_SIGMOID, x));
            TensorImpl first = t.own(Elementwise.mul(target, yes));
            t.free(yes);
            TensorImpl rest = t.own(Elementwise.rsub(target, 1, true));
            TensorImpl negative = t.own(Pointwise.neg(x));
            TensorImpl no = t.own(Activations.of(Activations.Kind.LOG_SIGMOID, negative));
            t.free(negative);
            TensorImpl second = t.own(Elementwise.mul(rest, no));
            t.free(rest);
            t.free(no);
            TensorImpl sum = t.own(Elementwise.add(first, second, 1));
            t.free(first);
            t.free(second);
            TensorImpl losses = t.own(Pointwise.neg(sum));
            t.free(sum);
            if (weight != null) {
                TensorImpl weighted = t.own(Elementwise.mul(losses, weight));
                t.free(losses);
                losses = weighted;
            }
            TensorImpl sums = t.own(Sums.sum(losses, new int[]{-1}, false));
            TensorImpl each = t.own(Elementwise.div(sums, x.size(-1)));
            t.free(sums);
            t.free(losses);
            return Losses.reduced(each, reduction);
        }
    }

    public static TensorImpl triplet(TensorImpl near, TensorImpl far, double margin, Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl difference = t.own(Elementwise.sub(near, far, 1));
            TensorImpl widened = t.own(Elementwise.add(difference, margin, false));
            t.free(difference);
            TensorImpl out = t.own(Selection.clamp(widened, 0, Double.POSITIVE_INFINITY));
            t.free(widened);
            return Losses.reduced(out, reduction);
        }
    }
}
