package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.type.Shape;

/** Variances, with any correction. */
public final class Variances {

    private Variances() {
    }

    public static TensorImpl var(TensorImpl a, int[] dims, boolean keep, double correction) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl result = variance(a, reduced, keep, Promotion.floating(a.dtype()), correction);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("VarBackward0", result, a,
                    (n, g) -> varBackward(g, n.saved(0), reduced, keep, correction));
            node.save(Graph.input(node, a));
        }
        return result;
    }

    /** Variance into an existing tensor. */
    public static void varianceInto(TensorImpl out, TensorImpl a, boolean[] reduced, double correction) {
        long[] kept = ReducedDims.shape(a.shape(), reduced, true);
        Reductions.run(ReduceOp.VAR, new Operand(out.operand().address(), out.dtype(), kept, Shape.contiguous(kept)), a,
                reduced);
        correct(out, a, reduced, correction);
    }

    private static void correct(TensorImpl result, TensorImpl a, boolean[] reduced, double correction) {
        if (correction != 1) {
            double n = ReducedDims.inputs(a.shape(), reduced);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{(n - 1) / (n - correction)}, result, result);
        }
    }

    /** The kernel divides by n - 1; another correction is a factor on its result. */
    static TensorImpl variance(TensorImpl a, boolean[] reduced, boolean keep, DType dtype, double correction) {
        TensorImpl result = Reductions.reduce(ReduceOp.VAR, a, reduced, keep, dtype);
        correct(result, a, reduced, correction);
        return result;
    }

    public static TensorImpl varBackward(TensorImpl g, TensorImpl x, boolean[] reduced, boolean keep,
            double correction) {
        double scale = 2 / (ReducedDims.inputs(x.shape(), reduced) - correction);
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(ReducedDims.keepDims(g, x.shape(), reduced, keep));
            TensorImpl mean = t.own(Graph.wanted(x)
                    ? Sums.mean(x, ReducedDims.dims(reduced), true)
                    : Reductions.reduce(ReduceOp.MEAN, x, reduced, true, x.dtype()));
            TensorImpl centred = t.own(Elementwise.sub(x, mean, 1));
            TensorImpl scaled = t.own(Elementwise.mul(grad, scale, false));
            return Elementwise.mul(scaled, centred);
        }
    }
}
