package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Largest and smallest elements; their gradient is shared among equals. */
public final class Extremes {

    private Extremes() {
    }

    /** Largest or smallest of all elements, or along dimensions (amax, amin). */
    public static TensorImpl extreme(TensorImpl a, boolean largest, int[] dims, boolean keep) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        if (a.count() == 0) {
            throw new TensorException((largest ? "max" : "min") + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": it has no elements, so it has no extreme.");
        }
        ReduceOp op = largest ? ReduceOp.MAX : ReduceOp.MIN;
        TensorImpl result = dims.length == 0
                ? overContiguous(op, a, reduced)
                : Reductions.reduce(op, a, reduced, keep, a.dtype());
        if (Graph.wanted(a)) {
            String name = (largest ? dims.length == 0 ? "Max" : "Amax" : dims.length == 0 ? "Min" : "Amin")
                    + (dims.length == 0 ? "Backward1" : "Backward0");
            Node node = Graph.recordUnary(name, result, a, dims.length == 0
                    ? Extremes::distribute
                    : (n, g) -> distributeAlong(n, g, reduced, keep));
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** Ties the one extreme or middle of all elements to the graph. */
    public static TensorImpl tieExtreme(String name, TensorImpl a, TensorImpl result) {
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary(name, result, a, Extremes::distribute);
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** Shares the gradient evenly among all elements equal to the extreme: PyTorch's evenly_distribute_backward. */
    private static TensorImpl distribute(Node n, TensorImpl g) {
        TensorImpl x = n.saved(0);
        TensorImpl extreme = n.saved(1);
        try (Temps t = new Temps()) {
            TensorImpl nan = t.own(Launch.binary(ElementOp.NE, x, x, DType.BOOL));
            TensorImpl extremeNan = t.own(Launch.binary(ElementOp.NE, extreme, extreme, DType.BOOL));
            Launch.into(ElementOp.AND, Launch.NONE, nan, nan, extremeNan);
            TensorImpl mask = t.own(Launch.binary(ElementOp.EQ, x, extreme, DType.BOOL));
            Launch.into(ElementOp.OR, Launch.NONE, mask, mask, nan);
            TensorImpl ties = t.own(Sums.sum(mask, Reductions.ALL, false));
            TensorImpl share = t.own(Elementwise.div(g, ties));
            return Elementwise.mul(mask, share);
        }
    }

    /** The same along dimensions: PyTorch's scale_grad_by_count. */
    private static TensorImpl distributeAlong(Node n, TensorImpl g, boolean[] reduced, boolean keep) {
        TensorImpl x = n.saved(0);
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(ReducedDims.keepDims(g, x.shape(), reduced, keep));
            TensorImpl extreme = t.own(ReducedDims.keepDims(n.saved(1), x.shape(), reduced, keep));
            TensorImpl mask = t.own(Launch.binary(ElementOp.EQ, x, extreme, DType.BOOL));
            TensorImpl ties = t.own(Reductions.reduce(ReduceOp.SUM, mask, reduced, true, DType.INT64));
            TensorImpl share = t.own(Elementwise.div(grad, ties));
            return Elementwise.mul(share, mask);
        }
    }

    public static TensorImpl argExtreme(TensorImpl a, boolean largest, int[] dims, boolean keep) {
        return Reductions.reduce(largest ? ReduceOp.ARGMAX : ReduceOp.ARGMIN, a, ReducedDims.mask(a, dims), keep,
                DType.INT64);
    }

    /** Largest along dimensions, kept, outside the graph. */
    public static TensorImpl extremeAlong(TensorImpl a, boolean... reduced) {
        return Reductions.reduce(ReduceOp.MAX, a, reduced, true, a.dtype());
    }

    /** Of everything; as PyTorch's max and min, over a contiguous copy if the memory is not. */
    private static TensorImpl overContiguous(ReduceOp op, TensorImpl a, boolean[] all) {
        try (Temps t = new Temps()) {
            TensorImpl result = t.own(TensorImpl.empty(a.device(), a.dtype()));
            TensorImpl dense = t.own(Copies.contiguous(a));
            long[] ones = ReducedDims.shape(a.shape(), all, true);
            Reductions.run(op, new Operand(result.operand().address(), a.dtype(), ones, Shape.contiguous(ones)), dense,
                    all);
            return t.give(result);
        }
    }

    /** Both extremes of all in one pass: one accumulator holds both. */
    public static void bothExtremes(TensorImpl least, TensorImpl most, TensorImpl in) {
        boolean[] all = ReducedDims.mask(in, Reductions.ALL);
        long[] ones = ReducedDims.shape(in.shape(), all, true);
        Reductions.withScratch(in, all, 2 * in.dtype().bytes(), () -> {
            in.driver().kernels().reduce(ReduceOp.MIN,
                    new Operand(least.operand().address(), in.dtype(), ones, Shape.contiguous(ones)), in.operand(),
                    in.stream());
            in.driver().kernels().reduce(ReduceOp.MAX,
                    new Operand(most.operand().address(), in.dtype(), ones, Shape.contiguous(ones)), in.operand(),
                    in.stream());
        });
    }
}
