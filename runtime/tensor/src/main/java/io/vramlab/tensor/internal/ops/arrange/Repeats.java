package io.vramlab.tensor.internal.ops.arrange;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Copies side by side. */
public final class Repeats {

    private Repeats() {
    }

    /** So many times along each dimension; further dimensions are added in front. */
    public static TensorImpl repeat(TensorImpl a, long... times) {
        if (times.length < a.rank()) {
            throw new TensorException(
                    "Number of dimensions of repeat dims can not be smaller than number of dimensions "
                            + "of tensor: " + Arrays.toString(times) + " was asked of " + Shape.text(a.shape()) + ".");
        }
        int lead = times.length - a.rank();
        long[] shape = new long[times.length];
        long[] split = new long[2 * times.length];
        long[] from = new long[2 * times.length];
        long[] strides = new long[2 * times.length];
        for (int d = 0; d < times.length; d++) {
            long size = d < lead ? 1 : a.shape()[d - lead];
            shape[d] = times[d] * size;
            split[2 * d] = times[d];
            split[2 * d + 1] = size;
            from[2 * d] = times[d];
            from[2 * d + 1] = size;
            strides[2 * d + 1] = d < lead ? 0 : a.strides()[d - lead];
        }
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), shape);
        try (Temps t = new Temps()) {
            t.own(out);
            if (out.count() > 0) {
                TensorImpl to = t.own(out.alias(split, Shape.contiguous(split), 0));
                TensorImpl source = t.own(a.alias(from, strides, a.offset()));
                Launch.into(ElementOp.COPY, Launch.NONE, to, source);
            }
            if (Graph.wanted(a)) {
                long[] was = a.shape();
                Graph.recordUnary("RepeatBackward0", out, a, (n, g) -> backward(g, was, times));
            }
            return t.give(out);
        }
    }

    /** Sums over the copies, in one reduction: PyTorch's repeat_backward. */
    private static TensorImpl backward(TensorImpl g, long[] was, long[] times) {
        int lead = times.length - was.length;
        try (Temps t = new Temps()) {
            TensorImpl sum = g;
            if (lead > 0) {
                int[] dims = new int[lead];
                Arrays.setAll(dims, i -> i);
                sum = t.own(Sums.sum(sum, dims, false));
            }
            long[] split = new long[2 * was.length];
            int[] copies = new int[was.length];
            int many = 0;
            int rank = 0;
            for (int d = 0; d < was.length; d++) {
                if (times[lead + d] != 1) {
                    copies[many++] = rank;
                    split[rank++] = times[lead + d];
                }
                split[rank++] = was[d];
            }
            if (many == 0) {
                return sum == g ? g.retain() : t.give(sum);
            }
            TensorImpl wide = t.own(Views.reshape(sum, Arrays.copyOf(split, rank)));
            return Sums.sum(wide, Arrays.copyOf(copies, many), false);
        }
    }
}
