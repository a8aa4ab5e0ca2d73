package io.vramlab.tensor.internal.ops.statistics;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Where values belong in what is sorted. Taken are the result, and then copies of what is not contiguous or of another dtype (BucketizationUtils.h). */
public final class SortedPlaces {

    private SortedPlaces() {
    }

    /**
     * The first place at which each value could be put, or, if {@code right}, the last.
     *
     * @param sorted
     *            rising along its last dimension: a vector for all values, or with their other dimensions
     */
    public static TensorImpl of(TensorImpl sorted, TensorImpl values, boolean right) {
        Launch.device("searchsorted", sorted, values);
        if (!fit(sorted, values)) {
            throw new TensorException("searchsorted was asked of " + sorted.describe() + " for " + values.describe()
                    + ": what is sorted must be a vector, or have all dimensions of the values but the last. Give a"
                    + " vector, or unsqueeze one of them.");
        }
        DType type = Promotion.of(sorted, values);
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(values.device(), DType.INT64, values.shape()));
            TensorImpl laid = t.own(Copies.contiguous(values));
            TensorImpl packed = t.own(Copies.contiguous(sorted));
            TensorImpl wanted = t.own(Copies.to(laid, values.device(), type));
            TensorImpl within = t.own(Copies.to(packed, sorted.device(), type));
            HostLoops.fill(out, () -> places(HostLoops.read(within), last(sorted), HostLoops.read(wanted),
                    sorted.rank() == 1 ? wanted.count() : last(values), right));
            return t.give(out);
        }
    }

    /** Which part between bounds each value lies in. */
    public static TensorImpl parts(TensorImpl values, TensorImpl bounds, boolean right) {
        if (bounds.rank() != 1) {
            throw new TensorException(
                    "bucketize was asked of " + values.describe() + " with bounds " + bounds.describe()
                            + ": boundaries must be a vector. Give one, or look rows up with searchsorted.");
        }
        return of(bounds, values, right);
    }

    private static boolean fit(TensorImpl sorted, TensorImpl values) {
        if (sorted.rank() == 1) {
            return true;
        }
        int front = sorted.rank() - 1;
        return front > 0 && values.rank() == sorted.rank()
                && Arrays.equals(sorted.shape(), 0, front, values.shape(), 0, front);
    }

    private static long last(TensorImpl a) {
        return a.shape()[a.rank() - 1];
    }

    private static double[] places(double[] sorted, long row, double[] values, long each, boolean right) {
        double[] places = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int from = sorted.length == row ? 0 : (int) (i / each * row);
            places[i] = place(sorted, from, (int) row, values[i], right);
        }
        return places;
    }

    /** By halves, as PyTorch's kernel: what is not a number comes last. */
    private static int place(double[] sorted, int from, int length, double value, boolean right) {
        int start = 0;
        int end = length;
        while (start < end) {
            int middle = start + (end - start >> 1);
            double there = sorted[from + middle];
            if (right ? !(there > value) : !(there >= value)) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        return start;
    }
}
