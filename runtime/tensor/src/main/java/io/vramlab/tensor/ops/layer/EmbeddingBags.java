package io.vramlab.tensor.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.tensor.core.Factories;
import io.vramlab.tensor.core.Shape;
import io.vramlab.tensor.core.Temps;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.index.Lookup;
import io.vramlab.tensor.ops.index.Scatters;
import io.vramlab.tensor.ops.index.Sorts;
import io.vramlab.tensor.ops.pointwise.Elementwise;
import io.vramlab.tensor.ops.reduce.Reductions;
import io.vramlab.tensor.ops.view.Joins;
import io.vramlab.tensor.ops.view.Views;
import io.vramlab.tensor.values.HostValues;
import io.vramlab.tensor.values.NonZero;

/** Sums, means and maxima of an embedding's rows, bag by bag. */
public final class EmbeddingBags {

    private EmbeddingBags() {
    }

    public static TensorImpl of(TensorImpl index, TensorImpl weight, TensorImpl offsets, String mode) {
        if (!mode.equals("sum") && !mode.equals("mean") && !mode.equals("max")) {
            throw new TensorException("mode has to be one of sum, mean or max, but \"" + mode + "\" was given.");
        }
        if (offsets == null && index.rank() == 2) {
            return equal(index, weight, mode);
        }
        if (offsets == null || index.rank() != 1) {
            throw new TensorException("input has to be 1D or 2D Tensor, with offsets if it is 1D, but it has shape "
                    + Shape.text(index.shape()) + (offsets == null ? " and no offsets." : " and offsets."));
        }
        return ragged(index, weight, offsets, mode);
    }

    /** Bags of one size: the rows seen as [bags, size, width]. */
    private static TensorImpl equal(TensorImpl index, TensorImpl weight, String mode) {
        try (Temps t = new Temps()) {
            TensorImpl rows = t.own(Lookup.embedding(weight, index));
            return switch (mode) {
                case "sum" -> Reductions.sum(rows, new int[]{1}, false);
                case "mean" -> Reductions.mean(rows, new int[]{1}, false);
                default -> maximum(t, rows, 1);
            };
        }
    }

    private static TensorImpl maximum(Temps t, TensorImpl rows, int dim) {
        TensorImpl[] most = Lookup.extreme(rows, true, dim, false);
        t.own(most[1]);
        return most[0];
    }

    /** Bags that begin where the host reads: those without rows are 0. */
    private static TensorImpl ragged(TensorImpl index, TensorImpl weight, TensorImpl offsets, String mode) {
        NonZero.requireValues(offsets, "an embedding bag with offsets");
        long[] starts = HostValues.longs(offsets);
        long many = index.count();
        long[] bags = new long[Math.toIntExact(many)];
        long[] sizes = new long[starts.length];
        for (int b = 0; b < starts.length; b++) {
            long end = b + 1 < starts.length ? starts[b + 1] : many;
            sizes[b] = end - starts[b];
            for (long i = starts[b]; i < end; i++) {
                bags[(int) i] = b;
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl rows = t.own(Lookup.embedding(weight, index));
            if (mode.equals("max")) {
                TensorImpl[] all = new TensorImpl[starts.length];
                for (int b = 0; b < all.length; b++) {
                    all[b] = t.own(sizes[b] == 0
                            ? Factories.full(weight.device(), weight.dtype(), 0, weight.shape()[1])
                            : maximum(t, t.own(Views.narrow(rows, 0, starts[b], sizes[b])), 0));
                }
                return Joins.stack(0, all);
            }
            TensorImpl bag = t.own(TensorImpl.empty(weight.device(), DType.INT64, many));
            NonZero.send(bag, bags);
            TensorImpl zeros = t
                    .own(Factories.full(weight.device(), weight.dtype(), 0, starts.length, weight.shape()[1]));
            TensorImpl sums = t.own(Scatters.indexAdd(zeros, 0, bag, rows, 1));
            if (mode.equals("sum")) {
                return t.give(sums);
            }
            double[] divisors = java.util.Arrays.stream(sizes).mapToDouble(s -> Math.max(1, s)).toArray();
            TensorImpl size = t.own(TensorImpl.empty(weight.device(), weight.dtype(), starts.length, 1));
            Sorts.send(size, divisors);
            return Elementwise.div(sums, size);
        }
    }
}
