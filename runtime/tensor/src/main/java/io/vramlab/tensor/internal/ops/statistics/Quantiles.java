package io.vramlab.tensor.internal.ops.statistics;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.TensorException;

/** Quantiles by sorting, and histograms. Composed; memory on the way differs from PyTorch's quantile, which takes more steps. */
public final class Quantiles {

    private Quantiles() {
    }

    /** The q-quantile along a dimension, or of all elements where that is null; NaN where there is one. */
    public static TensorImpl of(TensorImpl a, double q, Integer dim, boolean keep) {
        if (!(q >= 0 && q <= 1) || !a.dtype().isFloatingPoint() || a.count() == 0) {
            throw new TensorException("quantile of q=" + q + " was asked of " + a.describe()
                    + ": q must be in the range [0, 1], and the input not empty and of a floating dtype.");
        }
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(dim == null ? Views.reshape(a, -1) : Views.view(a, a.shape()));
            int along = dim == null ? 0 : dim < 0 ? dim + a.rank() : dim;
            TensorImpl[] sorted = Sorts.sort(x, along, false);
            TensorImpl values = t.own(sorted[0]);
            sorted[1].release();
            long last = x.shape()[along] - 1;
            double rank = q * last;
            long below = (long) Math.floor(rank);
            TensorImpl low = t.own(Views.select(values, along, below));
            TensorImpl high = t.own(Views.select(values, along, (long) Math.ceil(rank)));
            TensorImpl step = t.own(Elementwise.sub(high, low, 1));
            TensorImpl between = t.own(Elementwise.add(low, t.own(Elementwise.mul(step, rank - below, false)), 1));
            TensorImpl end = t.own(Views.select(values, along, last));
            TensorImpl unknown = t.own(Elementwise.compare(ElementOp.NE, end, end));
            TensorImpl out = t.own(Selection.where(unknown, end, between));
            return keep && dim != null ? Views.unsqueeze(out, along) : t.give(out);
        }
    }

    /** Counts, in the input's dtype; what lies outside is left out. */
    public static TensorImpl histc(TensorImpl a, long bins, double min, double max) {
        if (bins <= 0 || max < min) {
            throw new TensorException("histc of " + bins + " bins from " + min + " to " + max
                    + " was asked: bins must be positive, and max not less than min.");
        }
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), bins));
            Launch.into(ElementOp.FILL, new double[]{0}, out);
            if (min == max && a.count() > 0) {
                Extremes.extreme(a, false, Reductions.ALL, false).release();
                Extremes.extreme(a, true, Reductions.ALL, false).release();
            }
            HostLoops.fill(out, () -> counts(HostLoops.read(a), (int) bins, min, max));
            return t.give(out);
        }
    }

    private static double[] counts(double[] values, int bins, double min, double max) {
        double from = min;
        double to = max;
        if (from == to && values.length > 0) {
            from = Double.POSITIVE_INFINITY;
            to = Double.NEGATIVE_INFINITY;
            for (double v : values) {
                from = Math.min(from, v);
                to = Math.max(to, v);
            }
        }
        if (from == to) {
            from--;
            to++;
        }
        double[] out = new double[bins];
        for (double v : values) {
            if (v >= from && v <= to) {
                out[Math.min(bins - 1, (int) ((v - from) * bins / (to - from)))]++;
            }
        }
        return out;
    }
}
