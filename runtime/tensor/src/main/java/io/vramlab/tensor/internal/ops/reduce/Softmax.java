package io.vramlab.tensor.internal.ops.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** Softmax and its logarithm along one dimension; backward from the result. */
public final class Softmax {

    private Softmax() {
    }

    /** In float32 under autocast: PyTorch's kernel reads float16 as it lies, and every other dtype is converted first. */
    public static TensorImpl underAutocast(TensorImpl a, int dim, boolean log) {
        boolean reads = AutocastMode.dtype() != null && a.device().isCuda() && a.dtype() == DType.FLOAT16;
        return reads ? of(a, dim, log, DType.FLOAT32) : AutocastMode.full(x -> of(x[0], dim, log), a);
    }

    /** Computed in another dtype than the input's: converted first, but float16 to float32 by the kernel itself. */
    public static TensorImpl in(DType dtype, TensorImpl a, int dim, boolean log) {
        if (a.dtype() == DType.FLOAT16 && dtype == DType.FLOAT32 && a.device().isCuda()) {
            return of(a, dim, log, dtype);
        }
        try (Temps t = new Temps()) {
            return of(t.own(Copies.to(a, a.device(), dtype)), dim, log);
        }
    }

    public static TensorImpl of(TensorImpl a, int dim, boolean log) {
        return of(a, dim, log, a.dtype());
    }

    private static TensorImpl of(TensorImpl a, int dim, boolean log, DType dtype) {
        if (!a.dtype().isFloatingPoint()) {
            throw new TensorException((log ? "logSoftmax" : "softmax") + " was asked of dtype " + a.dtype()
                    + ": it is computed for floating point dtypes. Convert with to(FLOAT32).");
        }
        int d = Shape.dim(dim, a.rank());
        TensorImpl out = forward(a, d, log, dtype);
        DType input = a.dtype();
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary(log ? "LogSoftmaxBackward0" : "SoftmaxBackward0", out, a,
                    (n, g) -> backward(g, n.saved(0), d, log, input));
            node.save(Graph.result(node, out));
        }
        return out;
    }

    public static TensorImpl forward(TensorImpl a, int dim, boolean log, DType dtype) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), dtype, a.shape()));
            TensorImpl in = t.own(Copies.contiguous(a));
            if (a.rank() == 0) {
                Launch.into(ElementOp.FILL, new double[]{log ? 0 : 1}, out);
            } else if (a.count() > 0) {
                a.driver().kernels().softmax(out.operand(), in.operand(), dim, log, a.stream());
            }
            return t.give(out);
        }
    }

    /** The gradient's own gradients: PyTorch's softmax_double_backward and log_softmax_double_backward. */
    private static void tie(TensorImpl out, TensorImpl g, TensorImpl result, int dim, boolean log, DType input) {
        if (!Graph.wanted(g, result)) {
            return;
        }
        Node node = Graph.record(log ? "LogSoftmaxBackwardDataBackward0" : "SoftmaxBackwardDataBackward0", out,
                (n, second) -> {
                    try (Temps t = new Temps()) {
                        TensorImpl y = n.saved(1);
                        TensorImpl incoming = !n.wants(0)
                                ? null
                                : t.own(log ? ofLogGradient(second, y, dim) : backward(second, y, dim, false, input));
                        TensorImpl kept = !n.wants(1)
                                ? null
                                : t.own(log
                                        ? ofLogResult(second, n.saved(0), y, dim)
                                        : ofResult(second, n.saved(0), y, dim));
                        return t.give(incoming, kept);
                    }
                }, g, result);
        node.save(Graph.inputIf(node.wants(1), node, g), Graph.input(node, result));
    }

    private static TensorImpl ofLogGradient(TensorImpl second, TensorImpl y, int dim) {
        try (Temps t = new Temps()) {
            return Elementwise.sub(second, t.own(sumOfProduct(second, t.own(Pointwise.exp(y)), dim)), 1);
        }
    }

    private static TensorImpl ofLogResult(TensorImpl second, TensorImpl g, TensorImpl y, int dim) {
        try (Temps t = new Temps()) {
            TensorImpl power = t.own(Pointwise.exp(y));
            TensorImpl negative = t.own(Pointwise.neg(t.own(Sums.sum(g, new int[]{dim}, true))));
            return Elementwise.mul(t.own(Elementwise.mul(negative, power)), second);
        }
    }

    private static TensorImpl ofResult(TensorImpl second, TensorImpl g, TensorImpl y, int dim) {
        try (Temps t = new Temps()) {
            TensorImpl first = t.own(Elementwise.mul(g, t.own(sumOfProduct(y, second, dim))));
            TensorImpl other = t.own(Elementwise.mul(t.own(sumOfProduct(y, g, dim)), second));
            TensorImpl both = t.own(Elementwise.mul(g, second));
            return Elementwise.sub(t.own(Elementwise.sub(both, other, 1)), first, 1);
        }
    }

    private static TensorImpl sumOfProduct(TensorImpl a, TensorImpl b, int dim) {
        try (Temps t = new Temps()) {
            return Sums.sum(t.own(Elementwise.mul(a, b)), new int[]{dim}, true);
        }
    }

    public static TensorImpl backward(TensorImpl g, TensorImpl result, int dim, boolean log, DType input) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(g.device(), input, g.shape()));
            if (g.rank() == 0) {
                Launch.into(ElementOp.FILL, new double[]{0}, out);
                return t.give(out);
            }
            tie(out, g, result, dim, log, input);
            if (g.hasGradientRows()) {
                g.driver().kernels().logSoftmaxBackwardRows(out.operand(), g.operand(), result.operand(), g.stream());
                return t.give(out);
            }
            TensorImpl dense;
            if (log) {
                dense = t.own(Copies.contiguous(g));
            } else {
                // PyTorch multiplies gradient and result into a temporary first; this kernel does so on its way
                t.own(TensorImpl.empty(g.device(), g.dtype(), g.shape()));
                dense = g;
            }
            if (g.count() > 0) {
                g.driver().kernels().softmaxBackward(out.operand(), dense.operand(), result.operand(), dim, log,
                        g.stream());
            }
            return t.give(out);
        }
    }
}
