package io.vramlab.tensor.ops.loss;

import io.vramlab.tensor.core.Shape;
import io.vramlab.tensor.core.Temps;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.index.Lookup;
import io.vramlab.tensor.ops.index.Scatters;
import io.vramlab.tensor.ops.index.Sorts;
import io.vramlab.tensor.ops.layer.Activations;
import io.vramlab.tensor.ops.pointwise.Elementwise;
import io.vramlab.tensor.ops.pointwise.Pointwise;
import io.vramlab.tensor.ops.pointwise.Selection;
import io.vramlab.tensor.ops.reduce.Reductions;
import io.vramlab.tensor.ops.view.Views;
import io.vramlab.tensor.values.HostValues;
import io.vramlab.tensor.values.NonZero;

/** Losses with margins between classes or distances, composed; PyTorch has one kernel for the first two. */
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
        try (Temps t = new Temps()) {
            TensorImpl at = t.own(Views.unsqueeze(y, 1));
            TensorImpl right = t.own(Lookup.gather(x, 1, at));
            TensorImpl distance = t.own(Elementwise.add(t.own(Elementwise.sub(x, right, 1)), margin, false));
            TensorImpl losses = t.own(Selection.clamp(distance, 0, Double.POSITIVE_INFINITY));
            if (p == 2) {
                losses = t.own(Pointwise.pow(losses, 2));
            }
            if (weight != null) {
                TensorImpl each = t.own(Scatters.indexSelect(weight, 0, y));
                losses = t.own(Elementwise.mul(losses, t.own(Views.unsqueeze(each, 1))));
            }
            TensorImpl others = t.own(Scatters.scatter(losses, 1, at, 0));
            TensorImpl sums = t.own(Reductions.sum(others, new int[]{1}, false));
            return Losses.reduced(t.own(Elementwise.div(sums, x.shape()[1])), reduction);
        }
    }

    /** Each named class against each that is not, up to the first -1 of a row, which the host reads. */
    public static TensorImpl multilabelMargin(TensorImpl x, TensorImpl target, Reduction reduction) {
        if (x.rank() > 2 || x.rank() < 1 || x.rank() != target.rank() || x.count() != target.count()) {
            throw new TensorException("multilabel_margin_loss was asked of an input of shape " + Shape.text(x.shape())
                    + " and a target of shape " + Shape.text(target.shape()) + ": both are [n, classes] or [classes].");
        }
        NonZero.requireValues(target, "multilabelMarginLoss");
        int classes = (int) x.size(-1);
        long[] named = HostValues.longs(target);
        int rows = named.length / classes;
        double[] isNamed = new double[named.length];
        for (int r = 0; r < rows; r++) {
            for (int i = 0; i < classes && named[r * classes + i] >= 0; i++) {
                isNamed[r * classes + (int) named[r * classes + i]] = 1;
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl flat = t.own(Views.reshape(x, rows, classes));
            TensorImpl marks = t.own(Sorts.sent(flat, isNamed));
            TensorImpl rest = t.own(Elementwise.rsub(marks, 1, false));
            TensorImpl right = t.own(Views.unsqueeze(flat, 2));
            TensorImpl wrong = t.own(Views.unsqueeze(flat, 1));
            TensorImpl distance = t.own(Elementwise.rsub(t.own(Elementwise.sub(right, wrong, 1)), 1, false));
            TensorImpl losses = t.own(Selection.clamp(distance, 0, Double.POSITIVE_INFINITY));
            TensorImpl pairs = t
                    .own(Elementwise.mul(t.own(Views.unsqueeze(marks, 2)), t.own(Views.unsqueeze(rest, 1))));
            TensorImpl counted = t.own(Elementwise.mul(losses, pairs));
            TensorImpl sums = t.own(Reductions.sum(counted, new int[]{1, 2}, false));
            TensorImpl each = t.own(Elementwise.div(sums, classes));
            TensorImpl shaped = x.rank() == 1 ? t.own(Views.view(each, Shape.SCALAR)) : each;
            return Losses.reduced(shaped, reduction);
        }
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
            TensorImpl sums = t.own(Reductions.sum(losses, new int[]{-1}, false));
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
