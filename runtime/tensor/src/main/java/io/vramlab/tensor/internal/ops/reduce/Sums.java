package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Sums and means, and what they are in gradients: of what was broadcast, a sum. */
public final class Sums {

    private Sums() {
    }

    public static TensorImpl sum(TensorImpl a, int[] dims, boolean keep) {
        DType out = a.dtype().isFloatingPoint() ? a.dtype() : DType.INT64;
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl result = Reductions.reduce(ReduceOp.SUM, a, reduced, keep, out);
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            Graph.recordUnary(dims.length == 0 ? "SumBackward0" : "SumBackward1", result, a,
                    (n, g) -> spread(g, shape, reduced, keep));
        }
        return result;
    }

    public static TensorImpl mean(TensorImpl a, int[] dims, boolean keep) {
        if (!a.dtype().isFloatingPoint()) {
            throw new TensorException(
                    "mean(): could not infer output dtype. Input dtype must be a floating point type, "
                            + "but it is " + a.dtype() + ": convert with to(FLOAT32).");
        }
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl result = Reductions.reduce(ReduceOp.MEAN, a, reduced, keep, a.dtype());
        if (Graph.wanted(a)) {
            long[] shape = a.shape();
            double count = ReducedDims.inputs(shape, reduced);
            Graph.recordUnary(dims.length == 0 ? "MeanBackward0" : "MeanBackward1", result, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    return Elementwise.div(t.own(spread(g, shape, reduced, keep)), count);
                }
            });
        }
        return result;
    }

    /** The gradient of a sum: the incoming one, seen at every summand. A view, no memory. */
    public static TensorImpl spread(TensorImpl g, long[] shape, boolean[] reduced, boolean keep) {
        if (Graph.wanted(g)) {
            try (Temps t = new Temps()) {
                return Views.expand(t.own(ReducedDims.unsqueezed(g, reduced, keep)), shape);
            }
        }
        long[] strides = new long[shape.length];
        int from = g.rank();
        // as unsqueeze and expand lay it out: a dimension of one keeps the stride of what lies inside it, but a scalar's is 0
        long inside = 1;
        for (int d = shape.length - 1; d >= 0 && g.rank() > 0; d--) {
            if (!reduced[d] || keep) {
                from--;
                inside = g.shape()[from] * g.strides()[from];
                strides[d] = shape[d] != 1 && reduced[d] ? 0 : g.strides()[from];
            } else {
                strides[d] = shape[d] == 1 ? inside : 0;
            }
        }
        return g.alias(shape, strides, g.offset()).markView(g);
    }

    /** Sums a gradient down to the shape that was broadcast to its own; takes over the hold on {@code g}. */
    public static TensorImpl sumTo(TensorImpl g, long[] shape) {
        try {
            int lead = g.rank() - shape.length;
            boolean[] reduced = new boolean[g.rank()];
            boolean any = false;
            for (int d = 0; d < g.rank(); d++) {
                reduced[d] = d < lead || shape[d - lead] == 1 && g.shape()[d] != 1;
                any |= reduced[d];
            }
            if (!any) {
                return g.retain();
            }
            if (shape.length == 0) {
                Arrays.fill(reduced, true);
            }
            if (Graph.wanted(g)) {
                return shape.length == 0 ? sum(g, Reductions.ALL, false) : recordedSumTo(g, shape, reduced);
            }
            if (shape.length == 0) {
                // at::sum_to: a plain sum, of which no view is made, so that another gradient can be added to it in place
                return Reductions.reduce(ReduceOp.SUM, g, reduced, false, g.dtype());
            }
            TensorImpl kept = Reductions.reduce(ReduceOp.SUM, g, reduced, true, g.dtype());
            if (lead == 0) {
                return kept;
            }
            TensorImpl out = kept.alias(shape, Shape.contiguous(shape), 0).markView(kept);
            kept.release();
            return out;
        } finally {
            g.release();
        }
    }

    private static TensorImpl recordedSumTo(TensorImpl g, long[] shape, boolean... reduced) {
        try (Temps t = new Temps()) {
            TensorImpl kept = t.own(sum(g, ReducedDims.dims(reduced), true));
            return g.rank() == shape.length ? t.give(kept) : Views.view(kept, shape);
        }
    }
}
