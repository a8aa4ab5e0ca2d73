package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.type.Shape;

/** The Euclidean norm, which one kernel makes. */
public final class EuclideanNorm {

    private EuclideanNorm() {
    }

    public static TensorImpl norm(TensorImpl a, int[] dims, boolean keep) {
        return norm(a, dims, keep, Promotion.floating(a.dtype()));
    }

    static TensorImpl norm(TensorImpl a, int[] dims, boolean keep, DType dtype) {
        boolean[] reduced = ReducedDims.mask(a, dims);
        TensorImpl result = Reductions.reduce(ReduceOp.NORM2, a, reduced, keep, dtype);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("LinalgVectorNormBackward0", result, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl norm = t.own(ReducedDims.keepDims(n.saved(1), n.saved(0).shape(), reduced, keep));
                    TensorImpl grad = t.own(ReducedDims.keepDims(g, n.saved(0).shape(), reduced, keep));
                    return as(n.saved(0), normBackward(grad, n.saved(0), norm));
                }
            });
            node.save(Graph.input(node, a), Graph.result(node, result));
        }
        return result;
    }

    /** A gradient in the input's dtype; lets the one that is given go. */
    static TensorImpl as(TensorImpl input, TensorImpl gradient) {
        try (Temps t = new Temps()) {
            return Copies.to(t.own(gradient), input.device(), input.dtype());
        }
    }

    static TensorImpl normBackward(TensorImpl grad, TensorImpl x, TensorImpl norm) {
        try (Temps t = new Temps()) {
            TensorImpl direction = t.own(Elementwise.div(x, norm));
            TensorImpl zeros = t.own(Launch.unary(ElementOp.EQ_SCALAR, norm, DType.BOOL, 0));
            InPlace.maskedFill(direction, zeros, 0);
            return Elementwise.mul(grad, direction);
        }
    }

    /** The Euclidean norm of everything into an existing scalar, without scratch. */
    public static void normInto(TensorImpl out, TensorImpl in) {
        boolean[] all = ReducedDims.mask(in, Reductions.ALL);
        long[] ones = ReducedDims.shape(in.shape(), all, true);
        Operand target = new Operand(out.operand().address(), out.dtype(), ones, Shape.contiguous(ones));
        in.driver().kernels().reduce(ReduceOp.NORM2, target, in.operand(), in.stream());
    }
}
